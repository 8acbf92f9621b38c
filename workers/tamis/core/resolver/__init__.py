"""From an emitted name to a declared tool where no exact step leads there, or to a refusal that names the nearest tools.

A wrong tool is the worst that can happen, a lost call the second worst. So nothing is decided by one similarity. What a name has around it is
taken off (`wrappers`); its words are laid on the words of every tool that explains all of them (`align`, over an `index` of the catalogue); guards
forbid what a small change of a name can turn round (`guards`); and the nearest tool is taken only where no other is about as near (`cascade`).

Level A needs the name alone: order, number, words that mean the same, slips of the finger, filler. Level B guesses: a word that often means the
same, a word left out or cut off, a word of the schema. It is taken only when the emitted arguments fit the tool exactly (`evidence`), and never for a
destructive tool. What the words mean is data: `verbs`, `words`. `four_signal` is the published resolver, kept for comparison.
"""

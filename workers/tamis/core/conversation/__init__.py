"""The way back to the model: what tools gave, what was refused, what to say before the next round.

`results` makes conversation messages, `quoting` keeps a tool's text from ending its block or passing for a call, `calls` knows which
call a result answers, `hint` is the advice for models that need it, `fabrications` what to do about results that a model made up.
All pure: times are arguments, state is plain values that the caller stores.
"""

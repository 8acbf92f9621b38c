"""Plain words: none of them is a slip of the finger for another one. Data; add freely."""

from __future__ import annotations

__all__ = ["PLAIN"]

PLAIN: frozenset[str] = frozenset(
    """
        ability access account action active activity ad address admin agenda agent air airport album alert alias allergy amount analysis
        analytics angle answer app appointment area argument arm art article artist ash asset assistant attachment attribute audio audit aunt
        author avatar axe baby bad badge bag bake balance ball band bank banner bar base basket bath battery bean bear beat bed bee beef beer bell
        belt bend big bill bin bind bird bit bite black blob blow blue board boat body bond bonus bool boot born bot bottle bottom bowl box boy
        brake branch brand bread break brew brick bridge browser budget buffer bug bulk burn bus bush butter button buy cab cabin cache cage cake
        call camera camp campaign cap capacity car card care cart case cash cast catalog catch category cave cell center chain chair chalk change
        channel chapter char charge chart chat child chin church city clap class clause clay clean client climb cling clock cloth cloud cluster
        coach coal coat code coin cold color column comb comment commit community company condition conference connection contact container
        content context contract control cook cookie cope cord core corn corner cost count country coupon course court cover cow crab crawl credit
        crew criteria crop crow crown cry cup currency current cursor curve custom customer cut cycle dance dark dash dashboard data database
        dataset date day dead deal dear debt deck deep deer default degree demand demo department desk detail device diagram dialog diet dig
        digest dinner dip direct dirt disc discount disk dispute distance district dive dock doctor document dog doll domain door dosage dose dot
        draft drag draw drink drip drive driver drown drug dry due dull dump dust ear earn earth easy eat edge effect egg element email employee
        energy engine entity entry error estate event exam example exception exchange expense experience expert export expression eye face fact
        factor fade fail fair fall family fan far fare farm fast fat fear feature fee feed feel fetch few field fight figure file fill find fine
        fire fish fist fit fix flag flame flat fleet flesh flight floor flow flower fly fog fold folder font food foot fork form fox frame fraud
        free friend frog front fruit fry fuel full fund fur gain game gap garden gas gate gaze gender gift girl gist glass glove glow goal goat
        gold good goods grab grade graph grass gray great green greet grid grind grip group grow guess guest guide gun habit hair hall ham hand
        hang happy hard hash hat hate head header heal health hear heat height help hen hero hide high highlight hill hip hire history hit hold
        hole holiday home honey hook horse hospital host hot hotel hour house huge hunt hurry hurt ice icon idea identity ill image impact import
        index info ink input insight instance insurance interest interface interval inventory invite invoice iron issue item jail jam jar jaw
        jelly job jog join joint journal judge juggle juice jump keep key keyword kick kind kiss kit kite knee kneel knife knit knock know label
        lace lake lamb lamp land lane language laptop large late laugh law lay layer layout lazy lead leaf league leak lean leap learn lease leave
        left leg legal less lesson let letter level library license lick lid lie life lift light like limit line link lip list live load loan
        local location lock log logo long look loop loss lot loud love low lower lunch mad mail main make man many map margin mark market match
        material math matrix meal mean measure meat media medicine meet meeting melt member memo memory mend menu merge merit message meta meter
        metric middle mile milestone milk mind mine minute mist mix mode model module moment money month mood more most motion mountain mouse
        mouth movie mud mug music nail name near neat neck needle nest net network new news nice nod node noise nose note notification number nut
        oak obey object odd offer office oil old only option order org organization origin output oven overview owe owl owner pack package page
        paint pair pan panel paper parameter parent park part partner party pass password past patch path patient pattern pay payment pea peak
        pear peel pen people period permission person pet phone photo pick pie piece pig pile pin pinch pink pipe pipeline place plain plan plane
        plant plate platform play player playlist plot plum point policy poll pond pool poor port portfolio portion position post pot pound pour
        power pray present price prick print priority privacy process product profile profit program project prompt property protocol provider
        proxy public pull pulse purchase pure purpose push queen queue quick quit quiz quota quote race radio rail rain raise range rank rare rat
        rate ratio raw reach reaction read real reason receipt recipe record red region release reminder rent repair replica reply report
        repository request reservation resource response rest result return review revision reward rice rich ride right ring ripe rise risk road
        roar rob rock role roll roof room root rose route row rub rude rug rule run rush sad safe sail sale salt same sample sand sauce save say
        scale scan scarf scene schedule schema school scold scope score screen script scrub sea seal search seat second secret section sector
        security see seed seem segment sell seller send sensor sentence server service session set setting sew shake shape share sharp shave sheep
        sheet shelf shell shift shine ship shipment shoe shop short shot shout show shut shy sick side sigh sign signal silk silver sing sit site
        size skill skin sky slap sleep sleet slide slip slot slow small smart smell smoke snail snapshot sneak sniff snippet snow soak soap sob
        sock soft son song sore sort sound soup sour source space spade spec speed spill spin spit split spoil spoon sport spot spray spread
        spring sprint squeeze stack staff stage stain stand star stare start state statement station statistic status stay steal steam steel steer
        step stick sting stir stock stone stop storage store storm story stream street strike string strip strong student style subject
        subscription suck sugar suit suite summary sun supply support survey sweep sweet swim swing symbol system tab table tag tail talk tall
        tame tank target task taste tax tea teach team tear tell temp temperature template tempt tenant tent term test text thank theme thick thin
        thing think thread threshold throw thumb tick ticket tide tidy tie time timer tiny tip tire title toe token tool tooth top topic total
        touch tour tow town toy track trade traffic trail train transaction transcript transfer transport trap trash treat tree trend trial
        trigger trip truck true trust tub tube tug turn tweet twist type ugly unit upload urge url usage used user valid validate value variable
        vase vast vehicle vendor verify version very vest video view virtual visit voice volume vote wage wail wait walk wall wallet want ward
        warm warn wash waste water wave wax way weak wear weather web webhook website week weigh weight wet wheat wheel whip whisk white wide
        widget width wife wild win wind window wine wing wink wipe wire wise wish wood wool word work worker workflow worksheet workspace world
        worm worth wrap wrist write wrong yard yarn yawn year yell young zone zoom
    """.split()
)
"""Everyday words and those of software: what a name says with them is meant as it is written."""

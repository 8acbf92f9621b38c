"""The golden run: a real worker, a broker, real scrapes; every query of every board must answer, and the sums must be the topics'.

    load        what providers and models send
    scraper     a Prometheus of our own, and questions to it
    panels      boards' queries put to it, and what of their answers counts
    player      the load in real time, and what comes of it
    run         all together
    pictures    the boards' data, drawn
"""

"""English words that say nothing about what a section is about."""

from typing import Final

_WORDS: Final = """
whichever whoever became elsewhere longest shortest anyway somehow sees shall till yourself
able about above according across actually add added adding additional additionally adds after
again against ago all allow allowed allows almost along already also although always among and
another any anyone anything apart appear appears are aren't around aside ask available avoid away
back based basic because become becomes been before begin beginning begins behind being below
beside besides best better between beyond big both bring but call called calling calls came can
can't cannot case certain clear clearly come comes common consider contain containing contains
correct could couldn't course create created creates creating current currently deal depending
describe described describes despite detail details did didn't different directly does doesn't
doing don't done down due during each easily easy either else end ends enough entire especially
etc even ever every everything exactly example except fact false far few find finds first follow
followed following follows for former found four from full fully further gave general generally
get gets getting give given gives giving goes going good got great had handle has hasn't have
haven't having hence her here high him himself his hold holds how however idea immediately
important include included includes including inside instead into isn't issue item itself just
keep keeps kept kind kinds know known large last later latter least leave left less let lets like
likely list little long longer look looking looks lot low made mainly make makes making many mark
may maybe mean means meant might more moreover most mostly much must name named namely near
necessarily necessary need needed needs neither never nevertheless new next nobody none nor normal
normally not note notes nothing now number obtain obtained off often old once one ones only onto
order other others otherwise our out outside over own part particular particularly parts per
perhaps place please possible possibly present previous previously probably provide provided
provides providing put quite rather really recent regardless related relevant require required
requires respectively rest result results return returned returning returns right said same saw
say says second see seem seems seen self sense set sets several shall she should shouldn't show
shown shows side similar similarly simple simply since single six small some somebody something
sometimes soon sort specific specified specify start started starts states still such supply
support supported supports sure take taken takes taking tell ten than thank thanks that that's the
their theirs them themselves then there thereby therefore these they thing things think third this
those though three through throughout thus till times to together too took toward towards tried
true try trying turn turned twice two under unless unlike until upon use used useful user users
uses using usual usually value various very via want wants was wasn't way ways well went were
weren't what whatever when whenever where whereas wherever whether which while who whole whom
whose why will wish with within without won't work working works would wouldn't write yes yet you
your yours zero he'll it's i'm you're we're they're let's doesn isn aren don won etc e.g i.e use
via
"""

STOP_WORDS: Final = frozenset(_WORDS.split())

"""The words of the English–French toy language: forms, genders, and which words go together.

Each line of a table is one word with all its forms. The letters before nouns, and before the words that
combine with nouns, are kinds: p person, a animal, f food, d drink, r reading, o other thing, l place;
they prevent nonsensical sentences.
"""

from __future__ import annotations

from typing import NamedTuple

VOWELS = frozenset("aeiouyhéèêœâôî")  # every h here is silent


class Noun(NamedTuple):
    """A noun, with its French gender."""

    kind: str
    english: str
    english_plural: str
    french: str
    french_plural: str
    gender: str


class Profession(NamedTuple):
    """A profession, which takes no article in French: "je suis étudiant"."""

    english: str
    english_plural: str
    masculine: str
    masculine_plural: str
    feminine: str
    feminine_plural: str


class Adjective(NamedTuple):
    """An adjective; `side` is its position in French: `before` or `after` the noun."""

    side: str
    kinds: str
    english: str
    masculine: str
    feminine: str
    masculine_plural: str
    feminine_plural: str


class Verb(NamedTuple):
    """A verb in the present tense; `kinds` are those of its possible objects, empty for none."""

    kinds: str
    english: str
    english_third: str
    je: str
    il: str
    nous: str
    vous: str
    ils: str


class Person(NamedTuple):
    """A pronoun as a subject; `form` is the field of `Verb` with its form."""

    english: str
    french: str
    form: str
    gender: str
    plural: bool


PERSONS = (
    Person("i", "je", "je", "m", False),
    Person("you", "vous", "vous", "m", False),
    Person("he", "il", "il", "m", False),
    Person("she", "elle", "il", "f", False),
    Person("we", "nous", "nous", "m", True),
    Person("they", "ils", "ils", "m", True),
)
BE = Verb("", "be", "is", "suis", "est", "sommes", "êtes", "sont")
BE_ENGLISH = {"je": "am", "il": "is", "nous": "are", "vous": "are", "ils": "are"}
OBJECTS = {"me": "me", "him": "le", "her": "la", "us": "nous", "them": "les"}
ADVERBS = {"often": "souvent", "always": "toujours"}

PROFESSIONS = tuple(
    Profession(*line.split())
    for line in """\
student students étudiant étudiants étudiante étudiantes
teacher teachers professeur professeurs professeure professeures
singer singers chanteur chanteurs chanteuse chanteuses
lawyer lawyers avocat avocats avocate avocates
baker bakers boulanger boulangers boulangère boulangères
nurse nurses infirmier infirmiers infirmière infirmières
actor actors acteur acteurs actrice actrices
dancer dancers danseur danseurs danseuse danseuses
writer writers écrivain écrivains écrivaine écrivaines
farmer farmers agriculteur agriculteurs agricultrice agricultrices""".splitlines()
)

NOUNS = tuple(
    Noun(*line.split())
    for line in """\
p man men homme hommes m
p woman women femme femmes f
p boy boys garçon garçons m
p girl girls fille filles f
p child children enfant enfants m
p friend friends ami amis m
p neighbour neighbours voisin voisins m
p student students étudiant étudiants m
p teacher teachers professeur professeurs m
p singer singers chanteur chanteurs m
p lawyer lawyers avocat avocats m
p actor actors acteur acteurs m
a cat cats chat chats m
a dog dogs chien chiens m
a horse horses cheval chevaux m
a bird birds oiseau oiseaux m
a cow cows vache vaches f
a mouse mice souris souris f
f apple apples pomme pommes f
f cake cakes gâteau gâteaux m
f orange oranges orange oranges f
f egg eggs œuf œufs m
f tomato tomatoes tomate tomates f
d coffee coffees café cafés m
d tea teas thé thés m
d beer beers bière bières f
r book books livre livres m
r letter letters lettre lettres f
r newspaper newspapers journal journaux m
r story stories histoire histoires f
o car cars voiture voitures f
o bicycle bicycles vélo vélos m
o table tables table tables f
o chair chairs chaise chaises f
o dress dresses robe robes f
o hat hats chapeau chapeaux m
o bag bags sac sacs m
o flower flowers fleur fleurs f
o tree trees arbre arbres m
o key keys clé clés f
l house houses maison maisons f
l garden gardens jardin jardins m
l school schools école écoles f
l city cities ville villes f
l hotel hotels hôtel hôtels m
l church churches église églises f
l office offices bureau bureaux m""".splitlines()
)

ADJECTIVES = tuple(
    Adjective(*line.split())
    for line in """\
after aofrl red rouge rouge rouges rouges
after aofrl black noir noire noirs noires
after aofrl white blanc blanche blancs blanches
after aofrl green vert verte verts vertes
after aofrl blue bleu bleue bleus bleues
after aofrl yellow jaune jaune jaunes jaunes
after orl interesting intéressant intéressante intéressants intéressantes
after paorl strange étrange étrange étranges étranges
after odfrl expensive cher chère chers chères
after pa tired fatigué fatiguée fatigués fatiguées
after pa happy heureux heureuse heureux heureuses
after pa sad triste triste tristes tristes
after pa intelligent intelligent intelligente intelligents intelligentes
after pl rich riche riche riches riches
after df cold froid froide froids froides
after df hot chaud chaude chauds chaudes
after lo modern moderne moderne modernes modernes
before paofrl small petit petite petits petites
before paofrl big grand grande grands grandes
before fdrpa good bon bonne bons bonnes
before olpa pretty joli jolie jolis jolies
before pa young jeune jeune jeunes jeunes
before olfpa bad mauvais mauvaise mauvais mauvaises""".splitlines()
)

VERBS = tuple(
    Verb(*line.split())
    for line in """\
paofdrl have has ai a avons avez ont
f eat eats mange mange mangeons mangez mangent
d drink drinks bois boit buvons buvez boivent
paofdrl see sees vois voit voyons voyez voient
ofdrl want wants veux veut voulons voulez veulent
r read reads lis lit lisons lisez lisent
aofdrl buy buys achète achète achetons achetez achètent
paofdrl like likes aime aime aimons aimez aiment
paofdrl find finds trouve trouve trouvons trouvez trouvent
ofdrl sell sells vends vend vendons vendez vendent
paol draw draws dessine dessine dessinons dessinez dessinent
pa hear hears entends entend entendons entendez entendent
p know knows connais connaît connaissons connaissez connaissent
l visit visits visite visite visitons visitez visitent
r write writes écris écrit écrivons écrivez écrivent""".splitlines()
)
# These have no object.
ALONE = tuple(
    Verb("", *line.split())
    for line in """\
live lives habite habite habitons habitez habitent
work works travaille travaille travaillons travaillez travaillent
sleep sleeps dors dort dormons dormez dorment
sing sings chante chante chantons chantez chantent
walk walks marche marche marchons marchez marchent""".splitlines()
)


def vocabularies() -> tuple[set[str], set[str]]:
    """All English and all French words that a sentence can contain."""
    english = {"not", "do", "does", "in", "?", "a", "an", "the", "my", "this", "these"}
    french = {
        "un",
        "une",
        "de",
        "d'",
        "le",
        "la",
        "l'",
        "les",
        "mon",
        "ma",
        "mes",
        "ce",
        "cet",
        "cette",
    }
    french |= {"ces", "ne", "n'", "pas", "est-ce", "que", "qu'", "dans", "?", "j'", "m'"}
    english |= {p.english for p in PERSONS} | set(OBJECTS) | set(ADVERBS) | set(BE_ENGLISH.values())
    french |= {p.french for p in PERSONS} | set(OBJECTS.values()) | set(ADVERBS.values())
    verbs: tuple[Verb, ...] = (*VERBS, *ALONE)
    english |= {form for v in verbs for form in (v.english, v.english_third)}
    french |= {form for v in (BE, *verbs) for form in v[3:]}
    for is_a in PROFESSIONS:
        english, french = english | set(is_a[:2]), french | set(is_a[2:])
    for noun in NOUNS:
        english, french = english | set(noun[1:3]), french | set(noun[3:5])
    for adjective in ADJECTIVES:
        english, french = english | {adjective.english}, french | set(adjective[3:])
    return english, french

"""Whether a text seems to be in a language other than English, by its function words and word pieces.

A model that learned only from English still assigns a vector to any text, and a position to any word in
it. Two signs warn of this: the function words that every sentence of a language contains ("der", "la"),
and a tokenizer that splits most of the other words into pieces. Short texts need both: "Peter kauft
drei Lampen" has no function word, and "Was will der Mann?" has no split word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import regex

from ..records.trace import Array, Trace
from ..records.words import overlaps, split
from ..untrusted import normalized
from .function_words import FUNCTION_WORDS

# The commonest function words of the most widely spoken European languages with a Latin alphabet.
_SMALL_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "German": """
        ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen
        meinem meiner dein deine sein seine seinen seinem seiner ihre ihren ihrem ihrer unser
        unsere der die das den dem des ein eine einen einem einer eines kein keine keinen und
        oder aber denn weil dass daß ob wenn als wie auch nicht nur noch schon sehr mehr immer
        wieder hier dort heute gestern morgen in im am an auf aus bei beim bis durch für gegen
        mit nach ohne seit über um unter unterm von vom vor zu zum zur zwischen ist sind bin
        bist war waren wird werden wurde hat haben habe hatte kann können muss müssen soll will
        wollen macht geht gibt steht liegt was wer wo wann warum welche dieser diese dieses
        diesem diesen jeder jede jedes man so dann da etwas nichts alle alles viel viele zwei
        drei vier
        """,
        "Spanish": """
        yo tú él ella ello nosotros ellos ellas me te se nos os lo la los las le les el un una
        unos unas y o u pero porque que quien cuando donde como si no sí muy más menos también
        ya aquí allí hoy ayer mañana en de del al a con sin por para sobre entre desde hasta
        hacia bajo ante es son soy eres era eran fue fueron ser está están estoy estaba hay ha
        han he había tiene tienen tengo tenía hace puede pueden quiere quiero va voy mi mis tu
        tus su sus nuestro nuestra este esta estos estas ese esa esto eso aquel aquella todo
        toda todos todas mucho mucha muchos otro otra cada qué dos tres cuatro
        """,
        "French": """
        je j tu il elle on nous vous ils elles me te se moi toi lui leur leurs y en le la les l
        un une des du de d au aux et ou où mais car donc que qu qui quand comme si ne n pas plus
        moins très aussi encore déjà toujours jamais ici là hier demain aujourd'hui dans sur
        sous avec sans pour par entre chez vers depuis avant après près est sont suis es sommes
        êtes était étaient être a ai as avons avez ont avait avoir fait va vais peut veut mon ma
        mes ton ta tes son sa ses notre nos votre vos ce c cet cette ces tout toute tous toutes
        beaucoup rien quel quelle quoi deux trois quatre
        """,
        "Italian": """
        io tu lui lei noi voi loro mi ti si ci vi lo la li le gli ne il i l un uno una dei degli
        delle del dello della dell al allo alla alle ai agli dal dalla nel nello nella nei nelle
        sul sulla sulle sui col con senza per tra fra di da in a su e ed o ma perché che chi
        quando dove come se non più meno molto molti molta anche già ancora sempre mai qui qua
        oggi ieri domani è sono sei siamo siete era erano essere ho hai ha abbiamo hanno aveva
        avere fa va vado può vuole mio mia miei tuo tua suo sua suoi nostro questa questo questi
        queste quello quella tutto tutti tutta tutte cosa due tre quattro
        """,
        "Portuguese": """
        eu tu ele ela nós eles elas você vocês me te se lhe o a os as um uma uns umas e ou mas
        porque que quem quando onde como não sim muito muita mais menos também já aqui ali hoje
        ontem amanhã em de do da dos das no na nos nas ao à aos às num numa pelo pela com sem
        por para sobre entre desde até é são sou era eram foi foram ser está estão estou estava
        há tem têm tenho tinha faz pode vai vou meu minha meus seu sua seus suas nosso este esta
        esse essa isto isso aquele todo toda todos cada dois duas três
        """,
        "Dutch": """
        ik jij je hij zij ze wij we jullie mij me hem haar ons hun mijn jouw zijn onze de het
        een en of maar want omdat dat dit die deze als dan ook niet geen nog al heel zeer meer
        altijd weer hier daar vandaag gisteren morgen in op aan bij uit naar van voor met zonder
        over onder tussen tegen door tot om te is bent ben was waren wordt worden werd heeft
        hebben heb had kan kunnen moet moeten wil gaat ga doet staat zit ligt wat wie waar
        wanneer waarom er veel alle alles iets niets twee drie vier
        """,
        "Swedish": """
        jag du han hon vi ni de dem mig dig sig oss er honom henne min mitt mina din sin sitt
        sina en ett den det och eller men att som när där här inte ej mycket mer också redan
        alltid i på av från till med utan för om över under mellan vid hos är var varit blir
        blev har hade ska skulle kan måste vill går gör vad vem varför denna detta alla allt
        många någon något två tre
        """,
        "Danish": """
        jeg du han hun vi i de dem mig dig sig os jer ham hende min mit mine din sin sit en et
        den det og eller men at som når hvor her der ikke meget mere også altid på af fra til
        med uden for om over under mellem ved hos er var været bliver blev har havde skal skulle
        kan må vil går gør hvad hvem hvorfor denne dette alle mange noget nogen to tre
        """,
        "Norwegian": """
        jeg du han hun vi de dem meg deg seg oss dere ham henne min mitt mine en ei et den det
        og eller men at som når hvor her der ikke mye mer også alltid på av fra til med uten for
        om over under mellom ved hos er var vært blir ble har hadde skal skulle kan må vil går
        gjør hva hvem hvorfor denne dette alle mange noe noen to tre
        """,
        "Polish": """
        ja ty on ona my wy oni się mnie mi ciebie go mu jej ich nas was nam mój moja moje twój
        swój i a oraz lub albo ale bo że żeby gdy kiedy gdzie jak czy nie tak bardzo też już
        jeszcze zawsze tu tam dziś w we z ze na do od po pod nad przed przez dla bez przy o u
        jest są jestem był była było być ma mam mają może co kto ten ta to te tego tej tym
        wszystko wiele
        """,
        "Czech": """
        já ty on ona my vy oni se si mě mi tě ho mu jeho její jejich náš můj moje svůj a i nebo
        ale protože že aby když kde jak ne ano velmi také už ještě vždy tu tam dnes v ve z ze na
        do od po pod nad před přes pro bez při o u je jsou jsem byl byla bylo být má mám mají
        může co kdo ten ta to toho této tom všechno
        """,
        "Turkish": """
        ben sen biz siz onlar bu şu o bir ve ya veya ama çünkü ki ile için gibi kadar daha çok
        en da de mi mı ne kim nerede zaman nasıl değil var yok her şey sonra önce üzerinde
        """,
        "Finnish": """
        minä sinä hän me te he minun sinun hänen se tämä tuo ja tai mutta koska että jos kun
        niin ei en ole on oli olen ovat olla myös vain nyt jo sitten missä mitä kuka kanssa
        hyvin paljon
        """,
        "Hungarian": """
        én te ő mi ti ők a az egy és vagy de mert hogy ha mint nem is csak már még nagyon van
        volt vannak lesz ez ezt azt ott itt mit ki hol
        """,
        "Romanian": """
        eu tu el ea noi voi ei ele mă te se îl o un unei unui și sau dar că să dacă când unde
        cum nu da mai foarte acum aici în la de din pe cu fără pentru prin între despre este
        sunt era au am ai avem are meu mea lui acest această acesta toate tot
        """,
    }
)
LANGUAGES: Mapping[str, frozenset[str]] = MappingProxyType(
    {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}
)
# Those that are also English words or names, or the remainder of one ("I've").
_AMBIGUOUS_WORDS = """
    ai al ale ben bent bin car co com come con da dan den die dig dir door dove due ed em era go ha
    ham han hat hay heel ho im kim kun las li lo los ma man men mere met min mint mit mon non op os
    par plus pod pour pro sans sem sen sin sit som son ten till tom ton um van ve volt want war wo
    ya yo
    """
_AMBIGUOUS = frozenset(_AMBIGUOUS_WORDS.split())
LEAST = 3  # words: two alone ("die Bank") may be English
_SEVERAL = 2  # so many more function words of another language than of English are conclusive
_WITH_ONE = 0.25  # share of split words, if a function word is of another language and none is English
_WITH_ONE_PERHAPS = 0.5  # the same if that word may also be English ("die")
_WITH_NONE = 0.75  # the same in a text without any function word; at least two words
# What stands between spaces, and the signs that make an address or a hashtag of it. One expression for
# both would try every start and every end of a long run.
_RUN = regex.compile(r"\S+")
_OF_AN_ADDRESS = regex.compile(r"://|www\.|[@#]")
_ENGLISH_ENDINGS = frozenset(
    ["##s", "##es", "##d", "##ed", "##ing", "##ly", "##ally", "##er", "##ers", "##est", "##ness", "##y"]
)


def is_function_word(word: str) -> bool:
    """Whether a word, in any case, carries grammar in English or in one of `LANGUAGES`."""
    lower = word.lower()
    return lower in FUNCTION_WORDS or any(lower in words for words in LANGUAGES.values())


def looks_foreign(text: str, trace: Trace | None = None) -> bool:
    """Whether a text seems to be in a language other than English: a guess, for a warning.

    Args:
        text: the text.
        trace: the trace of the text by a model with English word pieces. Without it, only the function
            words count.
    """
    read = _RUN.sub(_without_address, text)
    words = [word for word in split(read) if any(map(str.isalpha, word.text))]
    if 2 * sum(not any("a" <= c <= "z" for c in _base(word.text)) for word in words) > len(words):
        return True  # in a script other than Latin
    if len(words) < LEAST:
        return False
    there = {part for word in words for part in _parts(word.text)}
    english = there & FUNCTION_WORDS
    most = there & _likeliest(there)[0]
    another, more = _of_another(most), len(most) - len(english)
    if another and (more >= _SEVERAL or (english <= most and len(most) > _SEVERAL)):
        return True
    if trace is None or (english and not another):
        return False
    # A name can be in any language; in an English sentence, a capitalised word may be a name.
    lowered = {
        w.text.casefold(): w for i, w in enumerate(words) if not i or w.text == w.text.casefold()
    }
    spans = np.array(trace.offsets, np.int64).reshape(-1, 2)
    cut = sum(_is_cut(trace.tokens, overlaps(spans, w.start, w.end)) for w in lowered.values())
    if another and (more > 0 or english <= most):
        return cut > 0 and cut >= _WITH_ONE * len(lowered)
    if english:
        return False
    if most:
        return cut > 0 and cut >= (_WITH_ONE if len(most) > 1 else _WITH_ONE_PERHAPS) * len(lowered)
    return cut > 1 and cut >= _WITH_NONE * len(lowered)


def small_words(trace: Trace) -> frozenset[str]:
    """The function words of a text in its own language, if that is not English.

    A word that may also be English ("hat", "la") does not count, unless the text seems to be in another
    language.
    """
    parts = {word: _parts(word) for word in {one.word for one in trace.occurrences()}}
    likeliest = _likeliest({part for of in parts.values() for part in of})
    small = {word for word, of in parts.items() if of and any(of <= language for language in likeliest)}
    sure = {word for word in small if _of_another(parts[word]) == parts[word]}
    if small > sure and looks_foreign(trace.texts[0], trace):
        return frozenset(small)
    return frozenset(sure)


def _without_address(run: regex.Match[str]) -> str:
    """A run of signs without spaces; as many spaces if it is an address."""
    return " " * len(run[0]) if _OF_AN_ADDRESS.search(run[0]) else run[0]


def _parts(word: str) -> set[str]:
    """A word in the form of the lists: "l'homme" becomes two."""
    return {part for part in regex.split("['’]", word.casefold()) if part}


def _likeliest(there: set[str]) -> list[frozenset[str]]:
    """The languages with the most of these words, English considered last: one, or several."""

    def has(small: frozenset[str]) -> tuple[int, int]:
        both = there & small
        return len(_of_another(both)), len(both)

    most = max(map(has, LANGUAGES.values()))
    return [small for small in LANGUAGES.values() if has(small) == most]


def _of_another(small: frozenset[str] | set[str]) -> set[str]:
    """The function words that are not English words. A single letter does not count."""
    return {w for w in small - FUNCTION_WORDS - _AMBIGUOUS if len(w) > 1 or not w.isascii()}


def _base(word: str) -> str:
    """A word's letters without accents."""
    return normalized("NFD", word.casefold())


def _is_cut(tokens: Sequence[str], of_word: Array) -> bool:
    """Whether the model splits a word, other than into a known word with an English ending."""
    pieces = [tokens[i] for i in np.flatnonzero(of_word).tolist()]
    return len(pieces) > 1 and not (len(pieces) == 2 and pieces[1] in _ENGLISH_ENDINGS)

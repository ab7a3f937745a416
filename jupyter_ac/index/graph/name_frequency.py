"""Classifies names as common, plain or distinctive; only some are joined without an import."""

import re
from typing import Final

COMMON, PLAIN, DISTINCTIVE = 0, 1, 2
_LEAST: Final = 4
_LONG: Final = 8
_TWO_WORDS: Final = re.compile(r"[^\W_]_[^\W_]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]")

_COMMON_TEXT: Final = """
    abort abs accept access acquire activate adapt add addAll addEventListener addListener
    add_all add_argument after afterEach align all alloc allocate any append appendChild apply
    args arguments array asarray asdict assert assertEqual assertEquals assertFalse assertIn
    assertIsNone assertNotNull assertNull assertRaises assertThat assertTrue assign async atoi
    attach attr await back base before beforeEach begin bind body bool boolean bounds box break
    buffer build byte bytearray bytes cache calculate call callable callback cancel capitalize
    catch ceil cell center change char charAt charCodeAt chars check child children chunk class
    classmethod clean cleanUp cleanup clear clearInterval clearTimeout click client clone close
    collect column columns command commit compare compareTo compile complete compute concat
    config configure confirm connect connection console constructor contains containsKey content
    contents context continue convert copied copy count create createElement createServer cursor
    data date debug decode decrypt deepcopy default del delattr delay delete deref describe
    description deserialize destroy detach details dict difference dim dir dirname disable
    discard disconnect dispatch dispatchEvent display dispose divmod document done download draw
    drop dump dumps each echo elapsed element emit emplace emplace_back empty enable encode
    encrypt end endsWith endswith ensure enter entries entry enumerate equal equals error escape
    eval event events every exception exec execute exists exit expand expect explain export
    extend extract factory fail failed fetch fetchall fetchone field fields file filename fileno
    fill filter finalize finally find findAll findOne find_all findall finish first fit flat
    flatMap flatten float floor flush focus fold foldl foldr for forEach foreach forget format
    forward fprintf fread free freeze from fromJson from_dict fromkeys frozen frozenset fscanf
    fwrite generate get getAttribute getClass getData getElementById getElementsByTagName getId
    getInstance getItem getLogger getName getSize getState getType getValue get_data get_id
    get_name get_type get_value getattr getenv getitem getlogger gettext globals group groups
    handle handler hasNext hasOwnProperty has_key hasattr hash hashCode head header headers
    height help hide hook host html icon id identity idle ignore image import include includes
    increment index indexOf info init initialize inner innerHTML input insert insertBefore
    inspect instance instanceof int integer intersection into invoke isArray isEmpty isNaN
    isOpen isValid is_dir is_empty is_err is_file is_none is_ok is_open is_some is_valid isalnum
    isalpha isdigit isfile isinstance islower isspace issubclass issubset issuperset isupper
    item items iter iter_mut iterator join json keep key keys kill kind label lambda last launch
    lazy len length level limit line lines link list listdir listen listener load loads local
    locals location lock log logger logging lookup loop lower lowerCase lstrip main make
    makedirs malloc map mapping mark match matches math max mean member memcmp memcpy memmove
    memset merge message messages method min mkdir mode model module mount move mutate name
    names need new newInstance next node nodes none normalize normpath notify notifyAll null
    number object observe offset once open option optional options order ordinal otherwise
    output override pack package page paint pair param parameter params parent parse parseFloat
    parseInt parser partition pass patch path paths pause peek perform permute pick ping pipe
    play plot point poll pop popitem popleft port position post pow predict prefix prepare
    prepend prev preventDefault previous print printStackTrace printf println process produce
    progress promise prompt prop property props provide proxy publish pull push push_back pushd
    put putAll puts query querySelector querySelectorAll queue quit quote raise random range
    rank rate read readFile readFileSync readline readlines ready realloc receive record recover
    recv redirect reduce refresh register reject release reload remove removeAll removeChild
    removeEventListener rename render repeat replace replaceAll replace_all reply report repr
    request require reserve reset reshape resize resolve resource respond response rest restart
    restore result results resume retain retrieve retry return returncode reverse reversed
    revert rindex rmdir role rollback root rotate round route row rows rsplit rstrip rule run
    runtime safe sample save scale scan scanf schedule schema scope score search seed seek
    select self send sendall sendto serialize serve server session set setAttribute setData
    setId setInterval setItem setName setSize setState setTimeout setType setUp setUpClass
    setValue set_name set_value setattr setdefault setitem setup shape shift show shuffle
    shutdown sign signal size sizeof skip sleep slice snprintf some sort sorted source spawn
    splice split splitlines sprintf sqrt stack start startsWith startswith stat state
    staticmethod status std step stop stopPropagation store str strcat strcmp strcpy strdup
    stream strftime string stringify strip strlen strncmp strncpy strptime strstr strtol struct
    style sub submit subscribe substr substring sum summary super supports suspend swap switch
    sync tail take target task tearDown tearDownClass tell template tensor test text then throw
    throws tick time timeout title toArray toDict toJSON toList toLowerCase toString toUpperCase
    to_bytes to_dict to_json to_list to_owned to_str to_string toggle token tokens top touch
    trace track train transform translate transpose traverse trigger trim truncate try tuple
    type typeof types unbind uncaught undo union unique unit unlink unlock unmount unpack
    unregister unshift unsubscribe unwrap unwrap_or update upload upper url use user using valid
    validate value valueOf values vars vector verify version view visit wait walk warn warning
    warnings watch weight when where which while width window with withdraw wrap wrapper write
    writeFile writeFileSync writelines yield zeros zip
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())


def distinction(name: str) -> int:
    """Return whether a name is `COMMON`, `PLAIN`, or `DISTINCTIVE`: of two words, or long."""
    bare = name.strip("_")
    if len(bare) < _LEAST or bare in _COMMON or name.startswith("__"):
        return COMMON
    return DISTINCTIVE if len(bare) >= _LONG or _TWO_WORDS.search(bare) else PLAIN

"""What the printed pages say, in English, German and Czech: a page says it in the one language that
was ordered.  Words only; no places, no sizes."""

from __future__ import annotations

from card_printables.order import LANGUAGES

Say = tuple[str, str, str]
"""The same in each of `LANGUAGES`."""


def said(say: Say, language: str, **values: object) -> str:
    """The words in that language, `values` put in their places."""
    return say[LANGUAGES.index(language)].format(**values)


READ_FIRST: Say = ("Read this first", "Zuerst lesen", "Nejdřív přečtěte")
BACK_OF_FIRST: Say = ("Back of the first page", "Rückseite der ersten Seite", "Rub první strany")
CARDS: Say = ("Cards {cards}", "Karten {cards}", "Karty {cards}")
BACKS_OF: Say = ("Backs of {cards}", "Rückseiten von {cards}", "Ruby karet {cards}")
STICKERS: Say = ("Stickers {cards}", "Aufkleber {cards}", "Nálepky {cards}")
TOKENS: Say = ("Corner tokens", "Eckmarken", "Rohové značky")
TRAY: Say = ("Set-aside tray", "Ablage", "Odkládací list")
LENS_SHEET: Say = ("Lens test sheet", "Testblatt für das Objektiv", "Zkušební list objektivu")
DISCS: Say = (
    "{deck}  ·  {n} round cards, {mm} mm across  ·  {paper}",
    "{deck}  ·  {n} runde Karten, {mm} mm groß  ·  {paper}",
    "{deck}  ·  kulaté karty: {n}, průměr {mm} mm  ·  {paper}",
)
ONE_DISC: Say = (
    "{deck}  ·  1 round card, {mm} mm across  ·  {paper}",
    "{deck}  ·  1 runde Karte, {mm} mm groß  ·  {paper}",
    "{deck}  ·  1 kulatá karta, průměr {mm} mm  ·  {paper}",
)
CODES: Say = (
    "{deck}  ·  codes to stick on: {n}, {mm} mm wide  ·  {maker}",
    "{deck}  ·  Codes zum Aufkleben: {n}, {mm} mm breit  ·  {maker}",
    "{deck}  ·  kódy k nalepení: {n}, šířka {mm} mm  ·  {maker}",
)
PLAIN_PAPER: Say = ("plain paper", "normales Papier", "obyčejný papír")

FULL_SIZE: Say = (
    "Print at 100 % (“actual size”). Never “fit to page”.",
    "Mit 100 % drucken („tatsächliche Größe“). Nie „an Seite anpassen“.",
    "Tiskněte na 100 % („skutečná velikost“). Nikdy „přizpůsobit stránce“.",
)
MEASURE: Say = (
    "Measure the rulers and the square. Not 100 and 50 mm? Then print again, and say before what you measured.",
    "Lineale und Quadrat nachmessen. Nicht 100 und 50 mm? Dann neu drucken und vorher das gemessene Maß angeben.",
    "Změřte pravítka a čtverec. Není to 100 a 50 mm? Pak vytiskněte znovu a předtím zadejte, co jste naměřili.",
)
TURN_LONG: Say = (
    "Print on both sides, turned over the long edge. Hold this sheet to the light: the corner crosses meet.",
    "Beidseitig drucken, an der langen Kante gewendet. Blatt gegen das Licht halten: Die Kreuze in den Ecken decken sich.",
    "Tiskněte oboustranně, obrátit podle delší strany. Podržte list proti světlu: křížky v rozích se kryjí.",
)
TURN_SHORT: Say = (
    "Print on both sides, turned over the short edge. Hold this sheet to the light: the corner crosses meet.",
    "Beidseitig drucken, an der kurzen Kante gewendet. Blatt gegen das Licht halten: Die Kreuze in den Ecken decken sich.",
    "Tiskněte oboustranně, obrátit podle kratší strany. Podržte list proti světlu: křížky v rozích se kryjí.",
)
FOLD: Say = (
    "Fold along the dashed line, faces outside. Glue the halves together, let them dry, then cut.",
    "An der gestrichelten Linie falten, Bilder außen. Zusammenkleben, trocknen lassen, dann ausschneiden.",
    "Přeložte podle čárkované čáry, obrázky ven. Slepte, nechte zaschnout a teprve potom vystřihněte.",
)
ONE_SIDE: Say = (
    "Faces only. For a game the backs must look alike: glue the sheets on coloured card.",
    "Nur Vorderseiten. Im Spiel müssen die Rückseiten gleich aussehen: auf farbigen Karton kleben.",
    "Jen lícové strany. Při hře musí být ruby stejné: nalepte archy na barevný karton.",
)
MATTE: Say = (
    "Matte paper, 200 g/m² or more. No gloss, no laminate: a lamp mirrored in it hides the code.",
    "Mattes Papier ab 200 g/m². Kein Glanz, keine Folie: Eine Lampe, die sich spiegelt, verdeckt den Code.",
    "Matný papír, 200 g/m² nebo víc. Žádný lesk, žádná laminace: odlesk lampy zakryje kód.",
)
CUT: Say = (
    "Cut along the faint line, 2 mm inside the picture’s edge, or punch: the four short strokes point at the middle.",
    "An der zarten Linie schneiden, 2 mm innerhalb des Bildrands, oder stanzen: Die vier kurzen Striche weisen zur Mitte.",
    "Stříhejte podle jemné čáry, 2 mm od okraje obrázku, nebo vysekněte: čtyři krátké čárky míří na střed.",
)
EMBLEMS: Say = (
    "Cut out the four tokens. Sun and moon are the top side of the table, cloud and star the bottom side.",
    "Die vier Marken ausschneiden. Sonne und Mond sind oben am Tisch, Wolke und Stern unten.",
    "Vystřihněte čtyři značky. Slunce a měsíc patří nahoru, mrak a hvězda dolů.",
)
FOLD_TRAY: Say = (
    "Cut the tray out, or fold its white edges back and press the folds flat.",
    "Die Ablage ausschneiden, oder ihre weißen Ränder nach hinten falten und glatt drücken.",
    "Odkládací list vystřihněte, nebo přehněte jeho bílé okraje dozadu a přehyby uhlaďte.",
)
LAY_TOKENS: Say = (
    "Lay them at the corners of the playing area, by eye. The clouds lie between them.",
    "Nach Augenmaß an die Ecken der Spielfläche legen. Die Wolken liegen dazwischen.",
    "Položte je od oka do rohů hrací plochy. Karty mraků leží mezi nimi.",
)
USE_TRAY: Say = (
    "Lay the tray where the camera sees it. Wrong clouds go on it; keep its four squares free.",
    "Die Ablage dorthin legen, wo die Kamera sie sieht. Falsche Wolken kommen darauf; die vier Quadrate bleiben frei.",
    "Odkládací list položte tam, kam vidí kamera. Špatné mraky patří na něj; čtyři čtverce nechte volné.",
)
STICK: Say = (
    "Stick each label on the face, at the foot, its small print or bar towards the rim. Use the life-size picture below.",
    "Jeden Aufkleber auf jede Vorderseite, unten, Schrift oder Strich zum Rand. Das Bild in Originalgröße zeigt die Stelle.",
    "Na líc každé karty jednu nálepku, dole, písmem či proužkem k okraji. Místo ukazuje obrázek ve skutečné velikosti.",
)
SAME_PLACE: Say = (
    "The same place on every face, or a sharp eye learns which cloud is which.",
    "Auf jeder Vorderseite dieselbe Stelle, sonst verrät sich eine Wolke.",
    "Na každé kartě stejné místo, jinak se mrak prozradí.",
)
NEVER_BACKS: Say = (
    "Never on the backs. Matte labels only; the whole deck or none of it.",
    "Nie auf die Rückseiten. Nur matte Etiketten; alle Karten oder keine.",
    "Nikdy na ruby. Jen matné etikety; všechny karty, nebo žádnou.",
)
CUT_SQUARES: Say = (
    "Cut along the grey lines; keep the white round each code. Use a glue stick, and matte paper.",
    "An den grauen Linien schneiden; das Weiß um jeden Code bleibt stehen. Klebestift und mattes Papier verwenden.",
    "Stříhejte podle šedých čar; bílý okraj kolem kódu ponechte. Použijte tyčinkové lepidlo a matný papír.",
)
PLAIN_FIRST: Say = (
    "This page on plain paper; put the label sheets in from page 2 on.",
    "Diese Seite auf normales Papier; die Etikettenbogen erst ab Seite 2 einlegen.",
    "Tuto stránku na obyčejný papír; archy etiket vložte až od strany 2.",
)
TEST_SHEET: Say = (
    "Print at 100 %, matte. Glue it flat on something stiff. Show it near and far, slanted, in every corner of the picture.",
    "Mit 100 % drucken, matt. Eben auf etwas Steifes kleben. Der Kamera nah und fern, schräg und in jeder Bildecke zeigen.",
    "Tiskněte na 100 %, matně. Nalepte rovně na pevnou desku. Ukažte kameře zblízka i zdálky, šikmo a v každém rohu obrazu.",
)
CROSSES: Say = (
    "The crosses stand 15 mm from the paper’s edges. If not, the print can be shifted.",
    "Die Kreuze stehen 15 mm von den Papierkanten. Wenn nicht, lässt sich der Druck verschieben.",
    "Křížky jsou 15 mm od okrajů papíru. Pokud ne, tisk lze posunout.",
)
BACK_CROSSES: Say = (
    "Hold this sheet to the light. The crosses should meet. Each tick is 1 mm: if they do not, the backs can be "
    "shifted by what you see.",
    "Dieses Blatt gegen das Licht halten. Die Kreuze sollen sich decken. Jeder Strich ist 1 mm: Wenn nicht, lassen "
    "sich die Rückseiten um so viel verschieben.",
    "Podržte tento list proti světlu. Křížky se mají krýt. Dílek je 1 mm: pokud se nekryjí, ruby lze o tolik posunout.",
)
DISC_HERE: Say = (
    "a card of the box fits here",
    "hier passt eine Karte der Schachtel",
    "sem se vejde karta z krabice",
)

/** Health care stocks, one a line: `TICKER|name|alias,alias`. */
export const HEALTH = `
LLY|Eli Lilly|lilly,eli lily
UNH|UnitedHealth|unitedhealth group,united health,unitedhealthcare,united healthcare,united health group
JNJ|Johnson & Johnson|j&j,johnson and johnson,johnson johnson,j and j,jandj
ABBV|AbbVie
MRK|Merck
TMO|Thermo Fisher|thermo fisher scientific
ABT|Abbott Laboratories|abbott
ISRG|Intuitive Surgical
AMGN|Amgen
PFE|Pfizer
DHR|Danaher
BSX|Boston Scientific
SYK|Stryker
GILD|Gilead|gilead sciences
VRTX|Vertex|vertex pharmaceuticals
MDT|Medtronic
BMY|Bristol Myers Squibb|bristol myers
ELV|Elevance Health|anthem
CI|Cigna
CVS|CVS Health|cvs
MCK|McKesson
COR|Cencora|amerisourcebergen
CAH|Cardinal Health
HCA|HCA Healthcare
REGN|Regeneron
ZTS|Zoetis
BDX|Becton Dickinson
EW|Edwards Lifesciences
HUM|Humana
CNC|Centene
IDXX|Idexx Laboratories|idexx
A|Agilent|agilent technologies
IQV|Iqvia
RMD|ResMed
GEHC|GE HealthCare
MTD|Mettler-Toledo
DXCM|Dexcom
BIIB|Biogen
MRNA|Moderna
LH|Labcorp
DGX|Quest Diagnostics
WST|West Pharmaceutical
WAT|Waters
STE|Steris
ZBH|Zimmer Biomet
BAX|Baxter
COO|Cooper Companies
PODD|Insulet
ALGN|Align Technology|invisalign
INCY|Incyte
VTRS|Viatris
UHS|Universal Health Services
RVTY|Revvity
SOLV|Solventum
TECH|Bio-Techne
CRL|Charles River Laboratories
DVA|DaVita
HSIC|Henry Schein
VEEV|Veeva|veeva systems
MOH|Molina Healthcare
NVO|Novo Nordisk|ozempic,wegovy
AZN|AstraZeneca
NVS|Novartis
GSK|GSK|glaxosmithkline,glaxo
SNY|Sanofi
TAK|Takeda
BNTX|BioNTech
TEVA|Teva
ILMN|Illumina
ALNY|Alnylam
HIMS|Hims & Hers Health|hims
TEM|Tempus AI
TDOC|Teladoc
CRSP|CRISPR Therapeutics|crispr
RXRX|Recursion
TLRY|Tilray
CGC|Canopy Growth
NVAX|Novavax
VKTX|Viking Therapeutics
OSCR|Oscar Health
DOCS|Doximity
ACH|Accendra Health
APT|Alpha Pro Tech
BEAT|HeartBeam
LAB|Standard BioTools
NEO|NeoGenomics
OGN|Organon
RARE|Ultragenyx
MOVE|Corvex
`;

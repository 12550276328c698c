/** Industrial stocks, one a line: `TICKER|name|alias,alias`. */
export const INDUSTRIALS = `
GE|GE Aerospace|general electric,ge aviation
GEV|GE Vernova
CAT|Caterpillar|caterpillar inc
RTX|RTX|raytheon
BA|Boeing|boeing company,the boeing company
HON|Honeywell
HONA|Honeywell Aerospace
LMT|Lockheed Martin|lockheed
DE|Deere|john deere
UNP|Union Pacific
UPS|UPS|united parcel service,big brown
FDX|FedEx
FDXF|FedEx Freight
UBER|Uber
ETN|Eaton
ADP|ADP|automatic data processing
GD|General Dynamics
NOC|Northrop Grumman|northrop
LHX|L3Harris
HII|Huntington Ingalls
TDG|TransDigm
HWM|Howmet Aerospace|howmet
AXON|Axon Enterprise|taser
TXT|Textron
MMM|3M
DD|DuPont
EMR|Emerson Electric|emerson
ITW|Illinois Tool Works
PH|Parker-Hannifin|parker hannifin
TT|Trane Technologies|trane
CARR|Carrier Global|carrier
OTIS|Otis|otis worldwide
JCI|Johnson Controls
LII|Lennox
ROK|Rockwell Automation
AME|Ametek
DOV|Dover
IR|Ingersoll Rand
XYL|Xylem
IEX|IDEX
NDSN|Nordson
FTV|Fortive
VLTO|Veralto
SNA|Snap-on
SWK|Stanley Black & Decker
PNR|Pentair
AOS|A. O. Smith
ALLE|Allegion
MAS|Masco
BLDR|Builders FirstSource
GNRC|Generac
HUBB|Hubbell
VRT|Vertiv
PWR|Quanta Services
EME|EMCOR
FIX|Comfort Systems USA
J|Jacobs|jacobs solutions
PCAR|Paccar
CMI|Cummins
WAB|Wabtec|westinghouse air brake
CSX|CSX
NSC|Norfolk Southern
ODFL|Old Dominion Freight Line|old dominion
JBHT|J.B. Hunt
CHRW|C.H. Robinson
EXPD|Expeditors
DAL|Delta Air Lines|delta
UAL|United Airlines
LUV|Southwest Airlines
AAL|American Airlines
JBLU|JetBlue
ALK|Alaska Air
WM|Waste Management
RSG|Republic Services
ROL|Rollins
CTAS|Cintas
CPRT|Copart
FAST|Fastenal
GWW|W. W. Grainger|grainger
URI|United Rentals
FERG|Ferguson
VRSK|Verisk
EFX|Equifax
TRU|TransUnion
BR|Broadridge
PAYX|Paychex
LDOS|Leidos
BAH|Booz Allen Hamilton|booz allen
ACHR|Archer Aviation|archer
JOBY|Joby Aviation|joby
RKLB|Rocket Lab
LUNR|Intuitive Machines
KTOS|Kratos Defense
AVAV|AeroVironment
BE|Bloom Energy
PLUG|Plug Power
RUN|Sunrun
OKLO|Oklo
SMR|NuScale Power|nuscale
LYFT|Lyft
GRAB|Grab|grab holdings
ZTO|ZTO Express
CNI|Canadian National Railway
CP|Canadian Pacific Kansas City
HEI|Heico
HEI.A|Heico A
MOG.A|Moog A
SPCE|Virgin Galactic
RYAAY|Ryanair
ENS|EnerSys
ONT|Onterris
PBI|Pitney Bowes
`;

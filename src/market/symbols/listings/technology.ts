/** Information technology stocks, one a line: `TICKER|name|alias,alias`. */
export const TECHNOLOGY = `
AAPL|Apple|apple inc,apple computer,the iphone maker,iphone maker,cupertino
MSFT|Microsoft|msft corp,mister softy,mr softy,microsoft corporation
NVDA|Nvidia|nvidia corp,nvidia corporation,team green
AVGO|Broadcom
ORCL|Oracle|oracle corporation,oracle corp
CRM|Salesforce|salesforce.com,sales force
AMD|Advanced Micro Devices|amd,team red
CSCO|Cisco|cisco systems
ACN|Accenture
ADBE|Adobe
IBM|IBM|international business machines,big blue
INTC|Intel
QCOM|Qualcomm
TXN|Texas Instruments
INTU|Intuit|turbotax,quickbooks
NOW|ServiceNow
PLTR|Palantir|palantir technologies,palantir tech
AMAT|Applied Materials
MU|Micron|micron technology
LRCX|Lam Research
KLAC|KLA
ADI|Analog Devices
ANET|Arista Networks|arista
PANW|Palo Alto Networks|palo alto
CRWD|CrowdStrike
SNPS|Synopsys
CDNS|Cadence Design Systems|cadence
MRVL|Marvell|marvell technology
FTNT|Fortinet
ADSK|Autodesk
WDAY|Workday
ROP|Roper Technologies|roper
NXPI|NXP Semiconductors|nxp
MCHP|Microchip Technology|microchip
MPWR|Monolithic Power Systems
APH|Amphenol
TEL|TE Connectivity
GLW|Corning
MSI|Motorola Solutions|motorola
DELL|Dell Technologies|dell
HPQ|HP|hp inc,hewlett packard
HPE|Hewlett Packard Enterprise
SMCI|Super Micro Computer|supermicro,super micro
NTAP|NetApp
WDC|Western Digital
STX|Seagate|seagate technology
SNDK|Sandisk
ON|ON Semiconductor|onsemi
SWKS|Skyworks Solutions|skyworks
TER|Teradyne
QRVO|Qorvo
FSLR|First Solar
DDOG|Datadog
FICO|Fair Isaac|fico
IT|Gartner
GDDY|GoDaddy
AKAM|Akamai
FFIV|F5|f5 networks
VRSN|VeriSign
GEN|Gen Digital|norton
PTC|PTC
TYL|Tyler Technologies
TRMB|Trimble
TDY|Teledyne|teledyne technologies
KEYS|Keysight|keysight technologies
JBL|Jabil
FLEX|Flex|flextronics
ZBRA|Zebra Technologies
CDW|CDW
CTSH|Cognizant
CIEN|Ciena
COHR|Coherent
LITE|Lumentum
Q|Qnity Electronics|qnity
NET|Cloudflare
SNOW|Snowflake
MDB|MongoDB
ZS|Zscaler
OKTA|Okta
TEAM|Atlassian
HUBS|HubSpot
TWLO|Twilio
DOCU|DocuSign
ZM|Zoom|zoom video,zoom communications
DBX|Dropbox
PATH|UiPath
U|Unity Software|unity
S|SentinelOne
AI|C3.ai|c3 ai
SOUN|SoundHound AI|soundhound
BBAI|BigBear.ai|bigbear
IONQ|IonQ
RGTI|Rigetti Computing|rigetti
QBTS|D-Wave Quantum|d-wave,dwave
MSTR|Strategy|microstrategy
STRK|Strategy 8% Strike Preferred|strike preferred
SHOP|Shopify
TSM|Taiwan Semiconductor|tsmc
ASML|ASML
ARM|Arm Holdings|arm
SAP|SAP
INFY|Infosys
UMC|United Microelectronics
STM|STMicroelectronics
NOK|Nokia
ERIC|Ericsson
LOGI|Logitech
CRDO|Credo Technology
ALAB|Astera Labs
GFS|GlobalFoundries
ENPH|Enphase Energy|enphase
CRWV|CoreWeave
ESTC|Elastic
GTLB|GitLab
BAND|Bandwidth
MASK|3 E Network Technology
IREN|IREN|iris energy
MARA|MARA Holdings|marathon digital
RIOT|Riot Platforms|riot blockchain
CLSK|CleanSpark
NTNX|Nutanix
P|Everpure|pure storage
ATOM|Atomera
LINK|Interlink Electronics
SNX|TD Synnex|synnex
`;

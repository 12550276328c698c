/** Exchange-traded funds and trusts, one a line: `TICKER|name|alias,alias`. */
export const FUNDS = `
SPY|SPDR S&P 500 ETF|spdr,s&p 500,sp500,spx,s&p,s and p 500,s and p,spyder,sp 500 etf,s&p etf,s&p 500 index,spiders etf,spyders
VOO|Vanguard S&P 500 ETF
IVV|iShares Core S&P 500 ETF
QQQ|Invesco QQQ|nasdaq 100,nasdaq-100,qqqs,qs,the qs,the qqqs,ndx,triple q,triple qs,cubes,the cubes,nasdaq etf,nasdaq 100 etf
QQQM|Invesco Nasdaq 100 ETF
VTI|Vanguard Total Stock Market ETF|total stock market
DIA|SPDR Dow Jones Industrial Average ETF|dow jones,dow jones industrial average,djia,the dow jones,dow industrials,dow 30,dow etf,diamonds etf
IWM|iShares Russell 2000 ETF|russell 2000,the russell 2000,the russell,russell 2k,small cap etf,small caps etf,rut
IJH|iShares Core S&P Mid-Cap ETF
IJR|iShares Core S&P Small-Cap ETF
MDY|SPDR S&P MidCap 400 ETF
RSP|Invesco S&P 500 Equal Weight ETF
VTV|Vanguard Value ETF
VUG|Vanguard Growth ETF
IWF|iShares Russell 1000 Growth ETF
IWD|iShares Russell 1000 Value ETF
VO|Vanguard Mid-Cap ETF
VB|Vanguard Small-Cap ETF
VT|Vanguard Total World Stock ETF
VXUS|Vanguard Total International Stock ETF
VEA|Vanguard Developed Markets ETF
VWO|Vanguard Emerging Markets ETF|emerging markets
EFA|iShares MSCI EAFE ETF
IEFA|iShares Core MSCI EAFE ETF
EEM|iShares MSCI Emerging Markets ETF
IEMG|iShares Core MSCI Emerging Markets ETF
FXI|iShares China Large-Cap ETF
KWEB|KraneShares China Internet ETF
MCHI|iShares MSCI China ETF
EWJ|iShares MSCI Japan ETF
EWZ|iShares MSCI Brazil ETF
EWY|iShares MSCI South Korea ETF
EWT|iShares MSCI Taiwan ETF
INDA|iShares MSCI India ETF
XLK|Technology Select Sector SPDR|technology spdr,technology sector spdr,technology select sector,technology sector etf,technology sector fund,technology etf,tech spdr,tech sector spdr,tech select sector,tech sector etf,tech sector fund,tech etf,information technology spdr,information technology sector spdr,information technology select sector,information technology sector etf,information technology sector fund,information technology etf,technology fund,tech fund
XLF|Financial Select Sector SPDR|financial spdr,financial sector spdr,financial select sector,financial sector etf,financial sector fund,financial etf,financials spdr,financials sector spdr,financials select sector,financials sector etf,financials sector fund,financials etf,banking spdr,banking sector spdr,banking select sector,banking sector etf,banking sector fund,banking etf,financials fund
XLE|Energy Select Sector SPDR|energy spdr,energy sector spdr,energy select sector,energy sector etf,energy sector fund,energy etf,energy fund
XLV|Health Care Select Sector SPDR|health care spdr,health care sector spdr,health care select sector,health care sector etf,health care sector fund,health care etf,healthcare spdr,healthcare sector spdr,healthcare select sector,healthcare sector etf,healthcare sector fund,healthcare etf,health care fund,healthcare fund
XLI|Industrial Select Sector SPDR|industrial spdr,industrial sector spdr,industrial select sector,industrial sector etf,industrial sector fund,industrial etf,industrials spdr,industrials sector spdr,industrials select sector,industrials sector etf,industrials sector fund,industrials etf,industrials fund
XLY|Consumer Discretionary Select Sector SPDR|consumer discretionary spdr,consumer discretionary sector spdr,consumer discretionary select sector,consumer discretionary sector etf,consumer discretionary sector fund,consumer discretionary etf,discretionary spdr,discretionary sector spdr,discretionary select sector,discretionary sector etf,discretionary sector fund,discretionary etf,consumer discretionary fund
XLP|Consumer Staples Select Sector SPDR|consumer staples spdr,consumer staples sector spdr,consumer staples select sector,consumer staples sector etf,consumer staples sector fund,consumer staples etf,staples spdr,staples sector spdr,staples select sector,staples sector etf,staples sector fund,staples etf,consumer staples fund,staples fund
XLU|Utilities Select Sector SPDR|utilities spdr,utilities sector spdr,utilities select sector,utilities sector etf,utilities sector fund,utilities etf,utility spdr,utility sector spdr,utility select sector,utility sector etf,utility sector fund,utility etf,utilities fund
XLB|Materials Select Sector SPDR|materials spdr,materials sector spdr,materials select sector,materials sector etf,materials sector fund,materials etf,basic materials spdr,basic materials sector spdr,basic materials select sector,basic materials sector etf,basic materials sector fund,basic materials etf,materials fund
XLRE|Real Estate Select Sector SPDR|real estate spdr,real estate sector spdr,real estate select sector,real estate sector etf,real estate sector fund,real estate etf,real estate fund
XLC|Communication Services Select Sector SPDR|communication services spdr,communication services sector spdr,communication services select sector,communication services sector etf,communication services sector fund,communication services etf,communications spdr,communications sector spdr,communications select sector,communications sector etf,communications sector fund,communications etf,communication spdr,communication sector spdr,communication select sector,communication sector etf,communication sector fund,communication etf,communication services fund
VGT|Vanguard Information Technology ETF
SMH|VanEck Semiconductor ETF
SOXX|iShares Semiconductor ETF
XBI|SPDR S&P Biotech ETF
IBB|iShares Biotechnology ETF
KRE|SPDR S&P Regional Banking ETF
KBE|SPDR S&P Bank ETF
XOP|SPDR S&P Oil & Gas Exploration ETF
OIH|VanEck Oil Services ETF
XHB|SPDR S&P Homebuilders ETF
ITB|iShares US Home Construction ETF
XRT|SPDR S&P Retail ETF
JETS|US Global Jets ETF
ITA|iShares US Aerospace & Defense ETF
TAN|Invesco Solar ETF
ICLN|iShares Global Clean Energy ETF
LIT|Global X Lithium & Battery Tech ETF
URA|Global X Uranium ETF
BOTZ|Global X Robotics & AI ETF
VNQ|Vanguard Real Estate ETF
ARKK|ARK Innovation ETF|ark innovation
ARKG|ARK Genomic Revolution ETF
ARKW|ARK Next Generation Internet ETF
SCHD|Schwab US Dividend Equity ETF
VYM|Vanguard High Dividend Yield ETF
VIG|Vanguard Dividend Appreciation ETF
DGRO|iShares Core Dividend Growth ETF
JEPI|JPMorgan Equity Premium Income ETF
JEPQ|JPMorgan Nasdaq Equity Premium Income ETF
QYLD|Global X Nasdaq 100 Covered Call ETF
MTUM|iShares MSCI USA Momentum ETF
QUAL|iShares MSCI USA Quality ETF
USMV|iShares MSCI USA Min Vol ETF
SPYM|SPDR Portfolio S&P 500 ETF|splg
TLT|iShares 20+ Year Treasury Bond ETF|long bond,long bonds,long bond etf,long bond fund,20 year treasury etf,20+ year treasury etf,20 year treasuries,long treasuries,long treasury etf,treasury bond etf
IEF|iShares 7-10 Year Treasury Bond ETF
SHY|iShares 1-3 Year Treasury Bond ETF
BIL|SPDR 1-3 Month T-Bill ETF|t-bills
SGOV|iShares 0-3 Month Treasury Bond ETF
AGG|iShares Core US Aggregate Bond ETF
BND|Vanguard Total Bond Market ETF
BSV|Vanguard Short-Term Bond ETF
LQD|iShares Investment Grade Corporate Bond ETF
HYG|iShares High Yield Corporate Bond ETF|junk bonds
JNK|SPDR High Yield Bond ETF
TIP|iShares TIPS Bond ETF
EMB|iShares Emerging Markets Bond ETF
NEAR|iShares Short Duration Bond Active ETF
GLD|SPDR Gold Shares|gold,gold etf,gold fund,gold trust,spdr gold,spdr gold trust,gold shares etf
IAU|iShares Gold Trust
GDX|VanEck Gold Miners ETF|gold miners
GDXJ|VanEck Junior Gold Miners ETF
SLV|iShares Silver Trust|silver
USO|United States Oil Fund|oil,crude oil
UNG|United States Natural Gas Fund|natural gas
DBC|Invesco DB Commodity Index Fund
UUP|Invesco DB US Dollar Index Bullish Fund|us dollar index
CPER|United States Copper Index Fund|copper
TQQQ|ProShares UltraPro QQQ
SQQQ|ProShares UltraPro Short QQQ
UPRO|ProShares UltraPro S&P 500
SPXU|ProShares UltraPro Short S&P 500
SSO|ProShares Ultra S&P 500
QLD|ProShares Ultra QQQ
SH|ProShares Short S&P 500
USD|ProShares Ultra Semiconductors
SOXL|Direxion Daily Semiconductor Bull 3X
SOXS|Direxion Daily Semiconductor Bear 3X
TNA|Direxion Daily Small Cap Bull 3X
TMF|Direxion Daily 20+ Year Treasury Bull 3X
NVDL|GraniteShares 2x Long NVDA
TSLL|Direxion Daily TSLA Bull 2X
UVXY|ProShares Ultra VIX Short-Term Futures
IBIT|iShares Bitcoin Trust
FBTC|Fidelity Wise Origin Bitcoin Fund
GBTC|Grayscale Bitcoin Trust
BITO|ProShares Bitcoin Strategy ETF
ARKB|ARK 21Shares Bitcoin ETF
ETHA|iShares Ethereum Trust
ETHE|Grayscale Ethereum Trust
BTC|Grayscale Bitcoin Mini Trust
ETH|Grayscale Ethereum Staking Mini ETF
XRP|Bitwise XRP ETF
ARB|AltShares Merger Arbitrage ETF
FLOW|Global X US Cash Flow Kings 100 ETF
GAL|SPDR Global Allocation ETF
QTUM|Defiance Quantum ETF
CUSD|CrossingBridge Ultra-Short Duration ETF
`;

/** Closed-end funds and notes that exchanges do not flag as ETFs, in the same form. */
export const CLOSED_END = `
EOS|Eaton Vance Enhanced Equity Income Fund II
LEO|BNY Mellon Strategic Municipals
BGB|Blackstone Strategic Credit 2027 Term Fund
ENJ|Entergy New Orleans First Mortgage Bonds
`;

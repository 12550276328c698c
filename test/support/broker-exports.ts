/** Exports as brokers lay them out, with invented figures. */
export const EXPORTS = {
  "Schwab, two accounts with a header each": `"Positions for account Individual ...123 as of 01:23 PM ET, 2026/01/15"
""
"Symbol","Description","Qty (Quantity)","Price","Price Chng $ (Price Change $)","Price Chng % (Price Change %)","Mkt Val (Market Value)","Day Chng $ (Day Change $)","Day Chng % (Day Change %)","Cost Basis","Gain $ (Gain/Loss $)","Gain % (Gain/Loss %)","Reinvest?","Reinvest Capital Gains?","% of Acct (% of Account)","Asset Type",
"AAPL","APPLE INC","10","$200.00","$1.00","0.5%","$2,000.00","$10.00","0.5%","$1,502.50","$497.50","33%","Yes","--","20%","Equity",
"SPY","SPDR S&P 500 ETF","4","$500.00","$1.00","0.5%","$2,000.00","$10.00","0.5%","$1,600.00","$400","33%","Yes","--","20%","ETFs & Closed End Funds",
"BTC","GRAYSCALE BITCOIN MINI TRUST ETF","4","$40.00","$1.00","0.5%","$160.00","$10.00","0.5%","$120.00","$40","33%","Yes","--","20%","ETFs & Closed End Funds",
"SWPPX","SCHWAB S&P 500 INDEX","12.3","$80.00","$1.00","0.5%","$984","$1","0.5%","$800","$184","1%","Yes","Yes","2%","Mutual Fund",
"SWVXX","SCHWAB VALUE ADVANTAGE MONEY INVESTOR SHARES","100","$1.00","$0.00","0%","$100.00","$0.00","0%","N/A","N/A","N/A","No","--","1%","Money Market Fund",
"AAPL 12/18/2026 200.00 C","CALL APPLE INC $200 EXP 12/18/26","-2","$7.00","$1","1%","-$1,400.00","$1","1%","$1,050.00","$3","1%","--","--","1%","Option",
"912797AB1","UNITED STATES TREASURY BILL","1000","$99","$0","0%","$990","$0","0%","$985","$5","1%","--","--","1%","Fixed Income",
"Cash & Cash Investments","--","--","--","--","--","$1,234.56","$0.00","0%","--","--","--","--","--","3%","Cash and Money Market",
"Account Total","","--","--","--","--","$9,000.00","$10","0.5%","$6,000","$1,000","10%","--","--","--","--",
"Positions for account Roth IRA ...456 as of 01:23 PM ET, 2026/01/15"
"Symbol","Description","Qty (Quantity)","Price","Cost Basis","Asset Type",
"MSFT","MICROSOFT CORP","5","$400.00","$1,500.00","Equity",
"Account Total","","--","--","$1,500.00","--",
`,
  "E*Trade, with a summary above and a date below": `Account Summary
Account,Net Account Value,Total Gain $,Total Gain %,Day's Gain Unrealized $,Day's Gain Unrealized %,Available For Withdrawal,Cash Purchasing Power
"Individual Brokerage -1234",12345.67,1.00,1.00,1.00,1.00,100.00,100.00

View Summary - All Positions
Filters: All Positions
Symbol,Last Price $,Change $,Change %,Quantity,Price Paid $,Day's Gain $,Total Gain $,Total Gain %,Value $
AAPL,200.00,1.00,0.50,10,150.25,10.00,497.50,33.11,2000.00
BTC,40.00,1.00,0.50,10,30.25,10.00,97.50,33.11,400.00
AAPL Dec 18 '26 $200 Call,7.00,0.10,1.4,2,5.25,20,350,33,1400.00
VTSAX,120.00,1,1,10,100,1,1,1,1200
CASH,,,,,,,,,1234.56
TOTAL,,,,,,10.00,1000.00,20.00,9000.00
Generated at Jan 15 2026 01:23 PM ET
`,
  "E*Trade, with lots below a position": `Symbol,Last Price $,Change $,Change %,Quantity,Price Paid $,Day's Gain $,Total Gain $,Total Gain %,Value $
AAPL,200.00,1.00,0.50,10,150.25,10.00,497.50,33.11,2000.00
01/15/2024,200.00,1.00,0.50,6,140,10.00,497.50,33.11,1200.00
  02/15/2024,200.00,1.00,0.50,4,165.625,10.00,497.50,33.11,800.00
`,
  "Fidelity, with coins and shorts": `Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,Cost Basis Total,Average Cost Basis,Type
X1,Fidelity Crypto,BTC,BITCOIN,0.5,60000,1,30000,25000,50000,
X1,INDIVIDUAL,BTC,GRAYSCALE BITCOIN MINI TR ETF SHS,5,40,1,200,150,30,Cash,
X1,INDIVIDUAL,AAPL,APPLE INC,-5,200,1,-1000,750,150,Short,
X1,INDIVIDUAL,,XYZ LARGE CAP FUND,5,200,1,-1000,750,150,,
X1,INDIVIDUAL,JEPI,JPMORGAN EQUITY PREMIUM INCOME ETF,5,60,1,300,250,50,Cash,
X1,INDIVIDUAL,QYLD,GLOBAL X NASDAQ 100 COVERED CALL ETF,5,60,1,300,250,50,Cash,

"The data and information in this spreadsheet is provided to you solely for your use, and is not for distribution."
Brokerage services are provided by Fidelity Brokerage Services LLC (FBS), 900 Salem Street, Smithfield, RI 02917. Custody
"Date downloaded Jan-15-2026 1:23 p.m ET"
`,
  "Interactive Brokers Flex query, positions and trades": `"ClientAccountID","CurrencyPrimary","AssetClass","SubCategory","Symbol","Description","Conid","UnderlyingSymbol","Multiplier","Strike","Expiry","Put/Call","ReportDate","Quantity","MarkPrice","PositionValue","OpenPrice","CostBasisPrice","CostBasisMoney","Side","LevelOfDetail","OpenDateTime"
"U1","USD","STK","COMMON","AAPL","APPLE INC","265598","AAPL","1","","","","20260115","40","200","8000","150.25","150.25","6010","Long","SUMMARY",""
"U1","USD","STK","COMMON","AAPL","APPLE INC","265598","AAPL","1","","","","20260115","25","200","5000","148","148","3700","Long","LOT","20250210;151044"
"U1","USD","STK","COMMON","AAPL","APPLE INC","265598","AAPL","1","","","","20260115","15","200","3000","154","154","2310","Long","LOT","20260112;100211"
"U1","USD","OPT","C","AAPL  261218C00200000","AAPL 18DEC26 200 C","1","AAPL","100","200","20261218","C","20260115","2","7","1400","5.25","5.25","1050","Long","SUMMARY",""
"U1","USD","FUT","","ESZ6","ES 18DEC26","1","ES","50","","20261218","","20260115","1","5000","250000","4900","4900","245000","Long","SUMMARY",""
"U1","CAD","STK","COMMON","SHOP","SHOPIFY","1","SHOP","1","","","","20260115","20","190","3800","180","180","3600","Long","SUMMARY",""
"U1","USD","STK","ETF","SPY","SPDR","1","","1","","","","20260115","-3","500","-1500","480","480","-1440","Short","SUMMARY",""
"U1","USD","CASH","","EUR.USD","EUR.USD","1","","1","","","","20260115","100","1.1","110","1.05","1.05","105","Long","SUMMARY",""
"U1","USD","FUND","","FXAIX","FIDELITY","1","","1","","","","20260115","100","1.1","110","1.05","1.05","105","Long","SUMMARY",""
"U1","USD","CRYPTO","","BTC","Bitcoin","1","","1","","","","20260115","0.1","60000","6000","50000","50000","5000","Long","SUMMARY",""
"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","TradeID","TradeDate","Quantity","TradePrice","CostBasis","Buy/Sell","LevelOfDetail"
"U1","USD","STK","MSFT","77","20260114","10","148.5","1486","BUY","EXECUTION"
`,
  "Interactive Brokers Flex query, lots alone": `"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","Multiplier","Quantity","CostBasisPrice","CostBasisMoney","Side","LevelOfDetail","OpenDateTime"
"U1","USD","STK","AAPL","1","25","148","3700","Long","LOT","20250210;151044"
"U1","USD","STK","AAPL","1","15","154","2310","Long","LOT","20260112;100211"
`,
  "Interactive Brokers Flex query, with record types": `"BOF","U1","name","1","20260115","20260115"
"BOA","U1"
"BOS","POST","Position; trade date basis"
"HEADER","POST","ClientAccountID","CurrencyPrimary","AssetClass","Symbol","Multiplier","Quantity","CostBasisPrice","Side","LevelOfDetail"
"DATA","POST","U1","USD","STK","AAPL","1","40","150.25","Long","SUMMARY"
"DATA","POST","U1","USD","OPT","AAPL  261218C00200000","100","2","5.25","Long","SUMMARY"
"EOS","POST","2"
"BOS","TRNT","Trades; trade date basis"
"HEADER","TRNT","ClientAccountID","CurrencyPrimary","AssetClass","Symbol","Quantity","TradePrice","Buy/Sell","LevelOfDetail"
"DATA","TRNT","U1","USD","STK","MSFT","10","148","BUY","EXECUTION"
"EOS","TRNT","1"
"EOA","U1"
"EOF","U1"
`,
  "Ghostfolio holdings": `symbol,name,assetClass,assetSubClass,currency,quantity,marketPrice,investment
AAPL,Apple,EQUITY,STOCK,USD,10,200,1502.5
VTSAX,Vanguard,EQUITY,MUTUALFUND,USD,10,120,1000
BTCUSD,Bitcoin,LIQUIDITY,CRYPTOCURRENCY,USD,0.5,60000,25000
USD,Cash,LIQUIDITY,CASH,USD,100,1,100
SPY,SPDR,EQUITY,ETF,USD,2,500,900
TLT,Bond fund,FIXED_INCOME,ETF,USD,2,90,180
`,
  "Trading 212 pie": `Slice,Name,Invested value,Value,Result,Owned quantity,Dividends gained,Dividends cash,Dividends reinvested
AAPL,Apple,1502.5,2000,497.5,10,0,0,0
Total,,1502.5,2000,497.5,10,0,0,0
`,
  "Kraken balances": `Asset,Quantity,Average price
XXBT,0.5,60000
XETH,2,3000
ZUSD,1500,1
ETH.S,1,3000
XDG,100,0.2
`,
} as const;

/** Lists of transactions and orders as brokers lay them out, with invented figures. */
export const TRANSACTIONS = {
  "Coinbase transactions": `ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
1,2026-01-12 10:00:00 UTC,Buy,BTC,0.5,USD,$60000,$30000,$30100,$100,Bought
`,
  "Robinhood activity report": `"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"
"1/12/2026","1/12/2026","1/14/2026","AAPL","Apple
CUSIP: 037833100","Buy","10","$150.25","($1,502.50)"
`,
  "Kraken ledger": `"txid","refid","time","type","subtype","aclass","asset","wallet","amount","fee","balance"
"L1","R1","2026-01-12 10:00:00","trade","","currency","XXBT","spot / main","0.5","0","0.5"
`,
  "Kraken trades": `"txid","ordertxid","pair","aclass","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"
"T1","O1","XXBTZUSD","forex","2026-01-12 10:00:00","buy","limit","60000","30000","1","0.5","0","","L1"
`,
  "Trading 212 history": `Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Total
Market buy,2026-01-12 10:00:00,US0378331005,AAPL,Apple,10,150.25,USD,1,,1502.5
`,
  "The table": `Name,Symbol,Side,Status,Filled,Quantity,Price,Avg Price,Time-in-Force,Placed Time,Filled Time
Apple,AAPL,Buy,Filled,10,10,150.25,150.25,DAY,01/12/2026 10:00:00 EST,01/12/2026 10:00:01 EST
`,
  "Ghostfolio activities": `Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note
12-01-2026,AAPL,YAHOO,USD,150.25,10,buy,1,
`,
} as const;

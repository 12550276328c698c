export default function Screener() {
  return <h1>Screener</h1>;
}

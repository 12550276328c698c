export default function Connect() {
  return <h1>Connect</h1>;
}

export default function Installation() {
  return <h1>Installation</h1>;
}

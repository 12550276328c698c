/** What the server wrote into the page about the person who is signed in: their scopes, and "owner" for the owner. */
const rights = (): readonly string[] =>
  document.querySelector<HTMLMetaElement>('meta[name="rights"]')?.content.split(" ") ?? [];

/** Returns true if the person may save something. */
export const mayWrite = (): boolean => rights().includes("write");

/** Returns true for the owner of this server, who alone sees the installation and creates keys. */
export const isOwner = (): boolean => rights().includes("owner");

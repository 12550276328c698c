/**
 * The place of the types and routes of every tool: the build replaces this file by one that it generates from the tool
 * definitions.
 */
export interface Tools {
  readonly [name: string]: { readonly input: object; readonly output: object };
}

export interface Streams {
  readonly [name: string]: { readonly input: object; readonly event: object };
}

/** "VERB /path" of each tool by name. */
export const ROUTES: Readonly<Record<string, string>> = Object.freeze({});
/** "GET /path" of each stream by the name of its tool. */
export const STREAM_ROUTES: Readonly<Record<string, string>> = Object.freeze({});

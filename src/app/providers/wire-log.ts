/** One thing noticed in the responses of a provider. */
export interface WireNote {
  readonly name: string;
  readonly detail: string;
}

/** Collects what the responses of each provider reveal without failing: redirects and unreadable rows. */
export interface WireLog {
  /** Returns a fetch function that notes the redirects it receives. */
  watch(name: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch;
  /** Adds rows of a provider's response that were dropped because they could not be read. */
  unreadable(name: string, rows: number): void;
  /** Returns one note per redirect between two hosts, and the number of unreadable rows of each provider. */
  notes(): readonly WireNote[];
}

const MAX_HOST_LENGTH = 100;

interface Redirect {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  isFollowed: boolean;
}

export function createWireLog(): WireLog {
  const redirects = new Map<string, Redirect>();
  /** Last redirect to an address, until it is requested. */
  const awaited = new Map<string, Redirect>();
  const dropped = new Map<string, number>();
  return {
    watch: (name, fetch) => async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const followed = awaited.get(`${name} ${url.href}`);
      if (followed !== undefined) {
        followed.isFollowed = true;
        awaited.delete(`${name} ${url.href}`);
      }
      const response = await fetch(input, init);
      const target = targetOf(response, url);
      if (target !== null) {
        const [from, to] = [hostOf(url), hostOf(target)];
        const key = `${name} ${from} ${to}`;
        const redirect = redirects.get(key) ?? { name, from, to, isFollowed: false };
        redirects.set(key, redirect);
        if (!redirect.isFollowed) awaited.set(`${name} ${target.href}`, redirect);
      }
      return response;
    },
    unreadable(name, rows) {
      dropped.set(name, (dropped.get(name) ?? 0) + rows);
    },
    notes: () => [
      ...[...redirects.values()].map(({ name, from, to, isFollowed }) => ({
        name,
        detail: `${from} redirects to ${to}: ${isFollowed ? "followed" : "refused"}`,
      })),
      ...[...dropped].map(([name, rows]) => ({ name, detail: `unreadable rows dropped: ${rows}` })),
    ],
  };
}

function targetOf({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get("location");
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, from.href)) return null;
  return new URL(location, from);
}

const hostOf = ({ host }: URL): string => host.slice(0, MAX_HOST_LENGTH);

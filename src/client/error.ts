/** One invalid field of an input. */
export interface FieldError {
  /** JSON pointer to the field. */
  readonly pointer: string;
  readonly detail: string;
}

interface Failure {
  readonly code: string;
  readonly status?: number | null;
  readonly hint?: string | null;
  readonly retryable?: boolean;
  readonly request_id?: string | null;
  readonly retry_after?: number | null;
  readonly errors?: readonly FieldError[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A call that failed. The message says what went wrong, `hint` what to do next. */
export class MarketSignalError extends Error {
  /** Code of the server, such as INVALID_INPUT or RATE_LIMITED; UNREACHABLE or INVALID_RESPONSE without its answer. */
  readonly code: string;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  readonly hint: string | null;
  /** True if the same call may succeed later. */
  readonly retryable: boolean;
  /** Id of the request in the server's log; null without an answer of the server. */
  readonly request_id: string | null;
  /** Seconds to wait before a retry; null if the server named none. */
  readonly retry_after: number | null;
  /** Invalid fields of the input. */
  readonly errors: readonly FieldError[];
  /** Every member of the problem document. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, failure: Failure) {
    super(message, "cause" in failure ? { cause: failure.cause } : {});
    this.name = "MarketSignalError";
    this.code = failure.code;
    this.status = failure.status ?? null;
    this.hint = failure.hint ?? null;
    this.retryable = failure.retryable ?? false;
    this.request_id = failure.request_id ?? null;
    this.retry_after = failure.retry_after ?? null;
    this.errors = failure.errors ?? [];
    this.data = failure.data ?? {};
  }
}

/** Returns the error that a response other than a success stands for. */
export async function errorOf(response: Response): Promise<MarketSignalError> {
  const { status, headers } = response;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const retry_after = Number.isFinite(seconds) ? seconds : null;
  const text = await response.text().catch(() => "");
  const body = parsedObject(text);
  if (body === null || typeof body.code !== "string")
    return new MarketSignalError(`The response has status ${status} and is not of a Market Signal server`, {
      code: "INVALID_RESPONSE",
      status,
      hint: "Check the URL, and any proxy between this program and the server.",
      retryable: status >= 500,
      retry_after,
    });
  return new MarketSignalError(textOf(body.detail) ?? textOf(body.title) ?? body.code, {
    code: body.code,
    status,
    hint: textOf(body.hint),
    retryable: body.retryable === true,
    request_id: textOf(body.request_id),
    retry_after,
    errors: Array.isArray(body.errors) ? (body.errors as FieldError[]) : [],
    data: body,
  });
}

/** Returns the JSON object that a text holds; null if it holds none. */
export function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

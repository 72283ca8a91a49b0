/** The server of a webhook. */
export interface WebhookTarget {
  /** `https://host[:port][/path][?query]`, as errors show it. */
  readonly url: string;
  /** Where the operator of this server says to connect instead of to the URL's host: `127.0.0.1:9443`. It may be this machine. The server's certificate may then be for either host. */
  readonly address?: string;
  /** PEM of the authorities that may sign the server's certificate. Absent: those that the machine trusts. */
  readonly caBundle?: string;
}

/** The answer of a webhook, or why it did not answer, in the words of Go's HTTP client: `context deadline exceeded`. */
export type WebhookAnswer =
  | { readonly status: 'answered'; readonly code: number; readonly body: string }
  | { readonly status: 'failed'; readonly why: string };

/**
 * Calls webhooks over HTTPS. Each call has its own time, and calls do not wait for each other: a webhook that hangs delays only those who ask it. Nothing is sent twice, except
 * over a connection that the server had closed before it read anything. A URL does not lead to this machine's own link, nor to this machine unless all clients of the API server are on it.
 */
export interface WebhookCaller {
  /** Posts JSON. Always resolves, at the latest after `timeoutMs` of the machine's time, also in a test whose clock stands still. */
  post(target: WebhookTarget, json: string, timeoutMs: number): Promise<WebhookAnswer>;
}

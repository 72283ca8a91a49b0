/** Options of Node's HTTP servers. */
export interface ServerTimeouts {
  readonly requestTimeout: number;
  readonly headersTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/**
 * Returns the options by which a server closes a connection whose client takes longer than `requestTimeoutMs` to send its headers, or a request with its body. Node looks at all connections
 * in intervals, so it may take half as long again. An answer may last as long as it likes.
 */
export function timeoutsOf(requestTimeoutMs: number): ServerTimeouts {
  return {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 2,
  };
}

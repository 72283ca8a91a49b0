/** A request to the Kubernetes API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query: `/api/v1/namespaces`. */
  readonly path: string;
  /** Is sent as JSON; a PATCH as a merge patch. */
  readonly body?: object;
}

export interface ApiAnswer {
  readonly status: number;
  /** The parsed JSON; what is no JSON, as a text. */
  readonly body: unknown;
}

/** What the smoke test needs from outside. */
export interface SmokeTestApi {
  /** Sends a request as the smoke test's user. Resolves with any answer, and rejects if there is none: the connection failed, or nothing came in time. */
  send(request: ApiRequest): Promise<ApiAnswer>;
}

/** The time as the smoke test sees it, in milliseconds. */
export interface SmokeTestTime {
  now(): number;
  pause(ms: number): Promise<unknown>;
}

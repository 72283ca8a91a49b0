/** Sends a request to the API server; the path begins with `/`. */
export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** A minimal client of a Kubernetes API server. It uses plain HTTP, so that the benchmark measures the server and not a client library. */
export class KubernetesApi {
  readonly baseUrl: string;
  readonly #credentials: () => Readonly<Record<string, string>>;

  /** `credentials` returns the headers that authenticate a request. */
  constructor(baseUrl: string, credentials: () => Readonly<Record<string, string>> = () => ({})) {
    this.baseUrl = baseUrl;
    this.#credentials = credentials;
  }

  async call<T>(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<T> {
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: { ...this.#credentials(), ...(body !== undefined && { 'content-type': contentType }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  /** Yields the events of a watch until `signal` is aborted. */
  async *watch<T>(path: string, signal: AbortSignal): AsyncGenerator<{ type: string; object: T }> {
    const answer = await fetch(`${this.baseUrl}${path}?watch=true&resourceVersion=0`, {
      headers: this.#credentials(),
      signal,
    });
    if (!answer.ok || !answer.body) throw new Error(`watch ${path}: ${answer.status}`);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of answer.body) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line) yield JSON.parse(line) as { type: string; object: T };
    }
  }
}

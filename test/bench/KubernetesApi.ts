import { setTimeout as pause } from 'node:timers/promises';

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

  /** Yields the events of all objects until `signal` is aborted. It resumes a watch that the server ends. */
  async *watch<T extends Versioned>(path: string, signal: AbortSignal): AsyncGenerator<{ type: string; object: T }> {
    let version = '0';
    while (!signal.aborted) {
      for await (const event of this.#watchFrom<T>(path, version, signal)) {
        if (event.type === 'ERROR') throw new Error(`watch ${path}: ${JSON.stringify(event.object)}`);
        version = event.object.metadata?.resourceVersion ?? version;
        if (event.type !== 'BOOKMARK') yield event;
      }
    }
  }

  /** Yields the events of one watch, bookmarks included. Waits if the server has too many watches; the caller asks again. */
  async *#watchFrom<T>(
    path: string,
    version: string,
    signal: AbortSignal,
  ): AsyncGenerator<{ type: string; object: T }> {
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=${version}`;
    const answer = await fetch(`${this.baseUrl}${path}?${query}`, { headers: this.#credentials(), signal });
    if (answer.status === 429) return await pause(Number(answer.headers.get('retry-after')) * 1000);
    if (!answer.ok || !answer.body) throw new Error(`watch ${path}: ${answer.status}`);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of answer.body) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim()) yield JSON.parse(line) as { type: string; object: T };
    }
  }
}

interface Versioned {
  readonly metadata?: { readonly resourceVersion?: string };
}

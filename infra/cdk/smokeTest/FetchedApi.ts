import type { ApiAnswer, ApiRequest, SmokeTestApi } from './SmokeTestApi.ts';

/** A request to a function that has to start first takes seconds; API Gateway itself gives up after 29. */
const ANSWER_MS = 20_000;

/** The Kubernetes API at a URL, `https://….amazonaws.com/k8s`, for whoever has the token. */
export class FetchedApi implements SmokeTestApi {
  readonly #url: string;
  readonly #sign: () => Promise<string>;
  #token: Promise<string> | undefined;

  constructor(url: string, sign: () => Promise<string>) {
    this.#url = url;
    this.#sign = sign;
  }

  async send({ method, path, body }: ApiRequest): Promise<ApiAnswer> {
    const token = await (this.#token ??= this.#sign());
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    // API Gateway may remember its answer for a token.
    if (response.status === 401) this.#token = undefined;
    return { status: response.status, body: parse(await response.text()) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

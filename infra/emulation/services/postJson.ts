import { type Agent, type OutgoingHttpHeaders, type IncomingHttpHeaders, request } from 'node:http';

/** Where a service on this machine listens: on a port of loopback, or on a Unix socket. */
export type ServiceAddress = { readonly port: number } | { readonly socketPath: string };

export interface PostTarget {
  readonly address: ServiceAddress;
  readonly agent: Agent;
  readonly headers: OutgoingHttpHeaders;
  /** Rejects when it is aborted. */
  readonly signal?: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Posts to a service on this machine. Repeats the request if the service had closed the reused connection. */
export async function postJson(to: PostTarget, body: string): Promise<PostAnswer> {
  for (;;) {
    const answer = await post(to, body);
    if (answer !== 'stale') return answer;
  }
}

function post({ address, agent, headers, signal }: PostTarget, body: string): Promise<PostAnswer | 'stale'> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', ...address, method: 'POST', path: '/', agent, ...(signal && { signal }) };
    const sent = request(
      { ...options, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.once('end', () => {
          const { statusCode: status = 502, headers: answered } = response;
          resolve({ status, headers: answered, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve('stale');
      else reject(error);
    });
    sent.end(body);
  });
}

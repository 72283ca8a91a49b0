import type { Cluster } from '../../infra/testCluster/startCluster.ts';

const GROUP = '/apis/testing.driftless.dev/v1';

/** An answer of the API, with the code of its Status or of HTTP. */
export interface RemoteAnswer {
  readonly code: number;
  readonly body: Record<string, unknown>;
}

/** Uses a cluster as a client in any language does: over HTTP only. */
export class RemoteCluster {
  readonly url: string;

  constructor({ url }: Pick<Cluster, 'url'>) {
    this.url = url;
  }

  async send(method: string, path: string, body?: object, contentType = 'application/json'): Promise<RemoteAnswer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'Content-Type': contentType },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { code: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Sends a request for the testing group: `faults`, `clocks/cluster/advance`. */
  async control(method: string, path: string, body?: object): Promise<RemoteAnswer> {
    return await this.send(method, `${GROUP}/${path}`, body);
  }

  async createFault(name: string, spec: object): Promise<RemoteAnswer> {
    return await this.control('POST', 'faults', testingObject('Fault', name, spec));
  }

  async createBehaviour(name: string, spec: object): Promise<RemoteAnswer> {
    return await this.control('POST', 'podbehaviours', testingObject('PodBehaviour', name, spec));
  }
}

/** A Fault or a PodBehaviour. */
export function testingObject(kind: 'Fault' | 'PodBehaviour', name: string, spec: object): object {
  return { apiVersion: 'testing.driftless.dev/v1', kind, metadata: { name }, spec };
}

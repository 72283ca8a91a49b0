import { startCluster, type Cluster } from '../../infra/testCluster/startCluster.ts';
import { ruleFor, webhookConfiguration } from './webhookConfiguration.ts';
import { WebhookServer } from './WebhookServer.ts';

interface Answer {
  readonly code: number;
  readonly warnings: readonly string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly body: any;
}

/** Where the tests of webhooks write. */
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';

/** The body of a ConfigMap `one`. */
export function configMap(data: object = { a: '1' }, labels: object = {}): object {
  return { metadata: { name: 'one', labels }, data };
}

/** A cluster on the virtual clock, and a server for its webhooks. */
export class WebhookBench {
  readonly server: WebhookServer;
  readonly cluster: Cluster;

  constructor(server: WebhookServer, cluster: Cluster) {
    this.server = server;
    this.cluster = cluster;
  }

  /** The service `hooks/hook` is the server's address. */
  static async start(): Promise<WebhookBench> {
    const server = await WebhookServer.start();
    const webhookServices = { 'hooks/hook': server.address };
    return new WebhookBench(server, await startCluster({ clock: 'virtual', webhookServices }));
  }

  /** Configures a webhook about ConfigMaps, at the path of its name. */
  async configure(kind: 'Mutating' | 'Validating', name: string, more: object = {}): Promise<void> {
    const rules = [ruleFor(['configmaps'])];
    await this.cluster.apply(webhookConfiguration(kind, name, this.server, { rules, ...more }));
  }

  async send(method: string, path: string, body?: object, contentType = 'application/json'): Promise<Answer> {
    const response = await this.cluster.request(path, {
      method,
      headers: { 'content-type': contentType },
      ...(body && { body: JSON.stringify(body) }),
    });
    const warning = response.headers.get('warning');
    return { code: response.status, warnings: warning === null ? [] : [warning], body: await response.json() };
  }

  /** Removes what a test has made. */
  async clear(): Promise<void> {
    await this.send('DELETE', `${CONFIGURATIONS}/mutatingwebhookconfigurations`);
    await this.send('DELETE', `${CONFIGURATIONS}/validatingwebhookconfigurations`);
    await this.send('DELETE', `${CONFIG_MAPS}/one`);
    await this.send('DELETE', '/apis/apps/v1/namespaces/default/deployments');
    await this.send('DELETE', '/api/v1/namespaces/default/pods');
    await this.cluster.advance('1m');
    this.server.forget();
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    await this.server.stop();
  }
}

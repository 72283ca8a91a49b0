import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudKubeconfig } from '../../infra/cdk/cloudKubeconfig.ts';
import { selfSignedCertificate } from '../../infra/host/selfSignedCertificate.ts';
import { hasKubectl, runKubectl } from '../support/kubectl.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-mutual-'));
const own = selfSignedCertificate(Date.now());
const client = selfSignedCertificate(Date.now());
const stranger = selfSignedCertificate(Date.now());
const seen: (string | undefined)[] = [];

/** Stands for a domain of API Gateway: it admits only clients with a certificate that its truststore has. */
const server = createServer(
  { cert: own.certificate, key: own.privateKey, ca: client.certificate, requestCert: true },
  (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"gitVersion":"v1"}');
  },
);

/** Stands for the AWS CLI. */
const TOKEN = JSON.stringify({
  apiVersion: 'client.authentication.k8s.io/v1beta1',
  kind: 'ExecCredential',
  status: { token: 'k8s-aws-v1.signed' },
});

function askVersion() {
  const env = {
    PATH: `${directory}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    SSL_CERT_FILE: join(directory, 'server.crt'),
  };
  return runKubectl(join(directory, 'kubeconfig'), ['get', '--raw', '/version'], { env });
}

function giveClient({ certificate, privateKey }: typeof client): void {
  mkdirSync(join(directory, '.kube'), { recursive: true });
  writeFileSync(join(directory, '.kube', 'mine.crt'), certificate);
  writeFileSync(join(directory, '.kube', 'mine.key'), privateKey);
}

describe.skipIf(!hasKubectl)('kubectl with the kubeconfig of a domain with mutual TLS', () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}`;
    const kubeconfig = cloudKubeconfig({ clusterId: 'mine', region: 'eu-central-1', server: url, mutualTls: true });
    writeFileSync(join(directory, 'kubeconfig'), kubeconfig);
    writeFileSync(join(directory, 'server.crt'), own.certificate);
    writeFileSync(join(directory, 'aws'), `#!/bin/sh\necho '${TOKEN}'\n`);
    chmodSync(join(directory, 'aws'), 0o755);
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true });
  });

  it('shows the certificate that lies in its folder, and sends the token of the AWS CLI', async () => {
    giveClient(client);
    expect(await askVersion()).toMatchObject({ code: 0, stdout: '{"gitVersion":"v1"}' });
    expect(new Set(seen)).toEqual(new Set(['Bearer k8s-aws-v1.signed']));
  });

  it('is refused with the certificate of a stranger, before it sends a token', async () => {
    giveClient(stranger);
    const before = seen.length;
    expect((await askVersion()).code).not.toBe(0);
    expect(seen).toHaveLength(before);
  });
});

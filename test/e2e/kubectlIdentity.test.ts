import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { hasKubectl, kubectlFor, runKubectl } from '../support/kubectl.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { SERVER_ARGUMENTS } from './serverArguments.ts';

const UNAUTHORIZED = /You must be logged in to the server|Unauthorized/;

describe.skipIf(!hasKubectl)('kubectl with service accounts and RBAC', () => {
  let server: ServerProcess;
  let kubectl: ReturnType<typeof kubectlFor>;
  let count = 0;

  beforeAll(async () => {
    server = await ServerProcess.start([...SERVER_ARGUMENTS, '--rbac']);
    kubectl = kubectlFor(server.kubeconfig);
    await kubectl('create namespace lab');
    await kubectl('-n lab create serviceaccount robot');
    await kubectl('-n lab create role reader --verb=get,list --resource=pods');
    await kubectl('-n lab create rolebinding robot --role=reader --serviceaccount=lab:robot');
  }, 240_000);
  afterAll(() => server?.dispose());

  /** Writes a kubeconfig for the same server whose user presents this token; returns its path. */
  function kubeconfigWith(token: string): string {
    const config = parse(readFileSync(server.kubeconfig, 'utf8')) as { users: { user: object }[] };
    for (const one of config.users) one.user = { token: token.trim() };
    count += 1;
    const path = `${server.kubeconfig}-${count}`;
    writeFileSync(path, stringify(config), { mode: 0o600 });
    return path;
  }
  const robotsKubeconfig = async (options = '') =>
    kubeconfigWith(await kubectl(`-n lab create token robot ${options}`));
  const whoami = async (kubeconfig: string, more = '') => {
    const text = await kubectlFor(kubeconfig)(`auth whoami -o json ${more}`);
    return (JSON.parse(text) as { status: { userInfo: Record<string, unknown> } }).status.userInfo;
  };

  it('is an administrator', async () => {
    expect((await whoami(server.kubeconfig))['groups']).toEqual(['system:masters', 'system:authenticated']);
    expect(await kubectl('auth can-i delete nodes')).toBe('yes\n');
  }, 240_000);

  it('is a service account with its token, and may do what its roles allow', async () => {
    const robot = await robotsKubeconfig();
    expect(await whoami(robot)).toMatchObject({
      username: 'system:serviceaccount:lab:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:lab', 'system:authenticated'],
    });
    expect((await runKubectl(robot, ['-n', 'lab', 'get', 'pods'])).code).toBe(0);
    const { code, stderr } = await runKubectl(robot, ['-n', 'lab', 'get', 'secrets']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'secrets is forbidden: User "system:serviceaccount:lab:robot" cannot list resource "secrets" in API group "" in the namespace "lab"',
    );
  }, 240_000);

  it('impersonates a user with --as, if it may', async () => {
    const jane = await runKubectl(server.kubeconfig, ['-n', 'lab', 'get', 'pods', '--as=jane']);
    expect(jane.stderr).toContain('User "jane" cannot list resource "pods"');
    const account = ['--as=system:serviceaccount:lab:robot'];
    expect((await runKubectl(server.kubeconfig, ['-n', 'lab', 'get', 'pods', ...account])).code).toBe(0);
    expect(await whoami(server.kubeconfig, '--as=jane --as-group=dev')).toMatchObject({
      username: 'jane',
      groups: ['dev', 'system:authenticated'],
    });
    const robot = await runKubectl(await robotsKubeconfig(), ['get', 'pods', '--as=jane']);
    expect(robot.stderr).toContain(
      'users "jane" is forbidden: User "system:serviceaccount:lab:robot" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  }, 240_000);

  it('loses access when the pod of its token is gone', async () => {
    await kubectl('-n lab run one --image=nginx --overrides={"spec":{"serviceAccountName":"robot"}}');
    const robot = await robotsKubeconfig('--bound-object-kind Pod --bound-object-name one');
    expect((await whoami(robot))['extra']).toMatchObject({ 'authentication.kubernetes.io/pod-name': ['one'] });
    await kubectl('-n lab delete pod one --force --grace-period=0');
    expect((await runKubectl(robot, ['-n', 'lab', 'get', 'pods'])).stderr).toMatch(UNAUTHORIZED);
  }, 240_000);

  it('has no access with a token for another audience', async () => {
    const robot = await robotsKubeconfig('--audience vault');
    expect((await runKubectl(robot, ['-n', 'lab', 'get', 'pods'])).stderr).toMatch(UNAUTHORIZED);
  }, 240_000);

  it('gets no token for less than ten minutes', async () => {
    const tooShort = ['-n', 'lab', 'create', 'token', 'robot', '--duration=5m'];
    const { code, stderr } = await runKubectl(server.kubeconfig, tooShort);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes',
    );
  }, 240_000);

  it('gives pods the token volume of their account, which must exist', async () => {
    await kubectl('-n lab run two --image=nginx');
    const mounts = '{.spec.serviceAccountName} {.spec.volumes[*].name} {.spec.containers[*].volumeMounts[*].mountPath}';
    expect(await kubectl(`-n lab get pod two -o 'jsonpath=${mounts}'`)).toMatch(
      /^default kube-api-access-\w{5} \/var\/run\/secrets\/kubernetes.io\/serviceaccount$/,
    );
    const overrides = '--overrides={"spec":{"serviceAccountName":"none"}}';
    const { stderr } = await runKubectl(server.kubeconfig, ['-n', 'lab', 'run', 'three', '--image=nginx', overrides]);
    expect(stderr).toContain(
      'pods "three" is forbidden: error looking up service account lab/none: serviceaccount "none" not found',
    );
  }, 240_000);

  it('reads the documents with which others verify tokens', async () => {
    const configuration = await kubectl('get --raw /.well-known/openid-configuration');
    expect(JSON.parse(configuration)).toMatchObject({
      issuer: 'https://kubernetes.default.svc.cluster.local',
      jwks_uri: expect.stringMatching(/^https?:\/\/.+\/openid\/v1\/jwks$/),
    });
    const robot = kubectlFor(await robotsKubeconfig());
    expect(JSON.parse(await robot('get --raw /openid/v1/jwks'))).toMatchObject({
      keys: [{ use: 'sig', alg: 'ES256' }],
    });
  }, 240_000);
});

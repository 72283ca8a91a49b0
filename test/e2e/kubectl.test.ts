import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';

const WEB = (image: string, replicas = 3) => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: ${image}
        ports: [{containerPort: 80}]
`;

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { kubectl, run, start, inNamespace } = kubectlServer();

  it('finds a server of the newest release, with Ready nodes', async () => {
    expect(await kubectl('version')).toMatch(/Server Version: v1\.36\./);
    const nodes = await kubectl('get nodes --no-headers');
    expect(nodes.trim().split('\n')).toHaveLength(3);
    expect(nodes).toMatch(/^driftless-node-1\s+Ready\s+<none>\s+\d+[smh]\S*\s+v1\.36\.\d+/m);
  });

  it(
    'applies a Deployment, rolls it out after a change, undoes the change, and deletes it',
    inNamespace('apply', async ({ says, rows }) => {
      expect(await says('apply -f -', { input: WEB('nginx:1') })).toBe('deployment.apps/web created\n');
      expect(await says('rollout status deployment/web --timeout=90s')).toContain(
        'deployment "web" successfully rolled out',
      );
      expect(await says('get deploy,rs,pods -o wide')).toMatch(
        /deployment\.apps\/web\s+3\/3\s+3\s+3\s+\d+s\s+web\s+nginx:1\s+app=web/,
      );
      expect(await says('apply -f -', { input: WEB('nginx:1') })).toBe('deployment.apps/web unchanged\n');
      expect(await says('apply -f -', { input: WEB('nginx:2') })).toBe('deployment.apps/web configured\n');
      expect(await says('rollout status deployment/web --timeout=90s')).toContain('successfully rolled out');
      const sets = await rows('get rs');
      expect(sets.map((row) => row.split(/\s+/).slice(1, 4).join(' ')).sort()).toEqual(['0 0 0', '3 3 3']);
      expect(await says('rollout history deployment/web')).toMatch(/REVISION\s+CHANGE-CAUSE\n1\s+<none>\n2\s+<none>/);
      expect(await says('rollout undo deployment/web')).toBe('deployment.apps/web rolled back\n');
      await says('rollout status deployment/web --timeout=90s');
      expect(await says("get deploy web -o jsonpath='{.spec.template.spec.containers[0].image}'")).toContain('nginx:1');
      expect(await says('delete deployment web')).toContain('deleted');
      await says('wait --for=delete pod -l app=web --timeout=90s');
      // The collector deletes the ReplicaSets one by one: the last may go after the pods.
      await expect.poll(() => says('get all'), { timeout: 60_000 }).toBe('');
    }),
    240_000,
  );

  it(
    'creates a Deployment from flags (a protobuf body), waits for it and describes it',
    inNamespace('flags', async ({ says }) => {
      expect(await says('create deployment web --image=nginx --replicas=3')).toBe('deployment.apps/web created\n');
      expect(await says('wait --for=condition=Available deployment/web --timeout=90s')).toContain('condition met');
      const described = await says('describe deployment web');
      expect(described).toMatch(/Replicas:\s+3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable/);
      expect(described).toMatch(
        /Normal\s+ScalingReplicaSet\s+\S+\s+deployment-controller\s+Scaled up replica set web-\S+ from 0 to 3/,
      );
      expect(await says('describe rs')).toMatch(
        /Normal\s+SuccessfulCreate\s+\S+\s+replicaset-controller\s+Created pod: web-/,
      );
      expect(await says('describe pods')).toMatch(/Node:\s+driftless-node-\d\//);
    }),
    240_000,
  );

  it(
    'scales, sets images, patches in three ways, labels and annotates',
    inNamespace('changes', async ({ says }) => {
      await says('create deployment web --image=nginx:1');
      const stored = () =>
        says("get deploy web -o jsonpath='{.spec.replicas} {.spec.template.spec.containers[0].image}'");
      expect(await says('scale deployment/web --replicas=4')).toBe('deployment.apps/web scaled\n');
      expect(await stored()).toBe('4 nginx:1');
      expect(await says('set image deployment/web nginx=nginx:2')).toBe('deployment.apps/web image updated\n');
      await says('rollout status deployment/web --timeout=90s');
      expect(await says(`patch deployment web -p '{"spec":{"replicas":5}}'`)).toContain('patched');
      expect(await stored()).toBe('5 nginx:2');
      expect(await says(`patch deployment web --type=merge -p '{"spec":{"replicas":2}}'`)).toContain('patched');
      expect(await stored()).toBe('2 nginx:2');
      expect(
        await says(`patch deployment web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":3}]'`),
      ).toContain('patched');
      expect(await says('label deployment web tier=front')).toBe('deployment.apps/web labeled\n');
      expect(await says('annotate deployment web note=kept')).toBe('deployment.apps/web annotated\n');
      await says('rollout status deployment/web --timeout=90s');
      expect(
        await says(
          "get deploy web -o jsonpath='{.spec.replicas} {.metadata.labels.tier} {.metadata.annotations.note}'",
        ),
      ).toBe('3 front kept');
    }),
    240_000,
  );

  it(
    'pauses, resumes and restarts a rollout',
    inNamespace('pausing', async ({ says, rows }) => {
      await says('create deployment web --image=nginx:1 --replicas=2');
      await says('rollout status deployment/web --timeout=90s');
      expect(await says('rollout pause deployment/web')).toBe('deployment.apps/web paused\n');
      await says('set image deployment/web nginx=nginx:2');
      expect(await rows('get rs')).toHaveLength(1);
      expect(await says('rollout resume deployment/web')).toBe('deployment.apps/web resumed\n');
      await says('rollout status deployment/web --timeout=90s');
      expect(await rows('get rs')).toHaveLength(2);
      expect(await says('rollout restart deployment/web')).toBe('deployment.apps/web restarted\n');
      await says('rollout status deployment/web --timeout=90s');
      expect(await rows('get rs')).toHaveLength(3);
    }),
    240_000,
  );

  it(
    'edits, diffs and replaces',
    inNamespace('editing', async ({ says }) => {
      await says('apply -f -', { input: WEB('nginx:1', 1) });
      const edited = await says('edit deployment web', { env: { KUBE_EDITOR: 'sed -i s/nginx:1/nginx:3/' } });
      expect(edited).toBe('deployment.apps/web edited\n');
      const image = () => says("get deploy web -o jsonpath='{.spec.template.spec.containers[0].image}'");
      expect(await image()).toBe('nginx:3');
      const namespace = ['-n', 'editing'];
      const diff = await run([...namespace, 'diff', '-f', '-'], { input: WEB('nginx:4', 1) });
      expect(diff.code).toBe(1);
      expect(diff.stdout).toMatch(/-\s+- image: nginx:3\n\+\s+- image: nginx:4/);
      expect(await image()).toBe('nginx:3');
      // kubectl replaces the version that it has just read. The status changes once more after the rollout is complete, when the old pod is gone.
      await says('rollout status deployment/web --timeout=90s');
      await says('wait deployment/web --for=jsonpath={.status.terminatingReplicas}=0 --timeout=90s');
      expect(await says('replace -f -', { input: WEB('nginx:5', 2) })).toBe('deployment.apps/web replaced\n');
      expect(await image()).toBe('nginx:5');
      await says('rollout status deployment/web --timeout=90s');
    }),
    240_000,
  );

  it(
    'deletes with each cascading option',
    inNamespace('cascades', async ({ says, rows }) => {
      await says('create deployment web --image=nginx:1 --replicas=2');
      await says('rollout status deployment/web --timeout=90s');
      await says('delete deployment web --cascade=orphan');
      expect(await rows('get pods')).toHaveLength(2);
      expect(await rows('get rs')).toHaveLength(1);
      await says('delete rs --all --cascade=foreground --timeout=90s');
      await says('wait --for=delete pod --all --timeout=90s');
      expect(await rows('get pods')).toEqual([]);
    }),
    240_000,
  );

  it('deletes a namespace with objects in it', async () => {
    await kubectl('create namespace full');
    await kubectl('-n full create deployment web --image=nginx --replicas=3');
    await kubectl('-n full rollout status deployment/web --timeout=90s');
    expect(await kubectl('delete namespace full --timeout=90s')).toContain('namespace "full" deleted');
    const gone = await run(['get', 'namespace', 'full']);
    expect(gone.stderr).toBe('Error from server (NotFound): namespaces "full" not found\n');
  }, 240_000);

  it(
    'watches pods start',
    inNamespace('watching', async ({ says }) => {
      const watching = start(['-n', 'watching', 'get', 'pods', '-w']);
      await says('create deployment web --image=nginx --replicas=1');
      await watching.until(/NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE\nweb-/);
      await says('scale deployment web --replicas=2');
      await watching.until(/web-\S+\s+0\/1\s+Pending[^]*web-\S+\s+1\/1\s+Running/);
      watching.end();
    }),
    240_000,
  );

  it('lists the served resources and explains their fields', async () => {
    const resources = await kubectl('api-resources');
    expect(resources).toMatch(/deployments\s+deploy\s+apps\/v1\s+true\s+Deployment/);
    expect(resources).toMatch(/pods\s+po\s+v1\s+true\s+Pod/);
    const explained = await kubectl('explain deployment.spec.strategy');
    expect(explained).toMatch(/GROUP:\s+apps\nKIND:\s+Deployment\nVERSION:\s+v1/);
    expect(explained).toMatch(/rollingUpdate\s+<RollingUpdateDeployment>/);
    // The description of the field, followed by that of its type.
    expect(explained).toMatch(/DESCRIPTION:\n\s+The deployment strategy [^]*?\n\s+DeploymentStrategy describes/);
  });

  it('reports unknown fields, invalid objects and unknown resources', async () => {
    const unknownField = await run(['apply', '-f', '-'], {
      input: WEB('nginx').replace('replicas:', 'replica:'),
    });
    expect(unknownField.code).toBe(1);
    expect(unknownField.stderr).toContain('unknown field "spec.replica"');
    const mismatch = await run(['apply', '-f', '-'], {
      input: WEB('nginx').replace('matchLabels: {app: web}', 'matchLabels: {app: other}'),
    });
    expect(mismatch.stderr).toContain('The Deployment "web" is invalid');
    expect(mismatch.stderr).toContain('`selector` does not match template `labels`');
    const logs = await run(['get', 'unicorns']);
    expect(logs.stderr).toContain('the server doesn\'t have a resource type "unicorns"');
  });
});

import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';
import { isCloud } from './serverArguments.ts';

const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'nginx:1'}]}
`;
const OLD = `
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec:
  replicas: 2
  selector: {app: old}
  template:
    metadata: {labels: {app: old}}
    spec: {containers: [{name: web, image: 'nginx:1'}]}
`;
const LIST = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: ['one', 'two'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })),
});
const UNICORN = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Unicorn', metadata: { name: 'one' } });

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { kubectl, start, inNamespace } = kubectlServer();

  it(
    'creates and describes an object of each kind that has a create command',
    inNamespace('kinds', async ({ says, rows }) => {
      const commands = {
        'configmap settings --from-literal=a=b': 'configmap/settings created',
        'secret generic password --from-literal=a=b': 'secret/password created',
        'serviceaccount robot': 'serviceaccount/robot created',
        'quota few --hard=pods=5': 'resourcequota/few created',
        'service clusterip front --tcp=80:80': 'service/front created',
        'role reader --verb=get --resource=pods': 'role.rbac.authorization.k8s.io/reader created',
        'rolebinding readers --role=reader --serviceaccount=kinds:robot':
          'rolebinding.rbac.authorization.k8s.io/readers created',
      };
      for (const [command, said] of Object.entries(commands)) expect(await says(`create ${command}`)).toBe(`${said}\n`);
      expect(await says('run single --image=nginx')).toBe('pod/single created\n');
      expect(await says('wait --for=condition=Ready pod/single --timeout=90s')).toBe('pod/single condition met\n');
      expect(await rows('get configmap,secret,serviceaccount')).toEqual([
        expect.stringMatching(/^configmap\/kube-root-ca\.crt\s+1\s/),
        expect.stringMatching(/^configmap\/settings\s+1\s/),
        expect.stringMatching(/^secret\/password\s+Opaque\s+1\s/),
        expect.stringMatching(/^serviceaccount\/default\s+0\s/),
        expect.stringMatching(/^serviceaccount\/robot\s+0\s/),
      ]);
      const described = {
        'configmap settings': /Data\n====\na:\n----\nb\n/,
        'secret password': /Type: {2}Opaque\n\nData\n====\na: {2}1 bytes/,
        'serviceaccount robot': /Name:\s+robot\n/,
        'quota few': /pods\s+1\s+5\n/,
        'service front': /Type:\s+ClusterIP\n/,
        'role reader': /pods\s+\[\]\s+\[\]\s+\[get\]/,
        'rolebinding readers': /ServiceAccount\s+robot\s+kinds/,
        'pod single': /Status:\s+Running\n/,
        'namespace kinds': /Status:\s+Active\n[^]*Resource Quotas\n/,
        'node driftless-node-1': /Ready\s+True\s/,
      };
      for (const [subject, said] of Object.entries(described)) expect(await says(`describe ${subject}`)).toMatch(said);
    }),
    240_000,
  );

  it(
    'selects by labels and fields, lists in pages, and prints custom columns',
    inNamespace('selecting', async ({ says, fails, rows }) => {
      await says('create deployment web --image=nginx --replicas=3');
      await says('rollout status deployment/web --timeout=90s');
      expect(await rows('get pods -l app=web --chunk-size=1')).toHaveLength(3);
      const [pod = ''] = (await says('get pods -o name')).trim().split('\n');
      expect(await says(`label ${pod} tier=front`)).toBe(`${pod} labeled\n`);
      expect(await fails(`label ${pod} tier=back`)).toBe(
        "error: 'tier' already has a value (front), and --overwrite is false",
      );
      expect(await says(`label ${pod} tier=back --overwrite`)).toBe(`${pod} labeled\n`);
      expect(await rows(`get pods -l 'tier in (back,side),!hidden' --show-labels`)).toEqual([
        expect.stringMatching(/1\/1\s+Running\s+0\s+\S+\s+app=web,pod-template-hash=\w+,tier=back$/),
      ]);
      expect(await rows('get pods --field-selector status.phase=Running,spec.nodeName!=nowhere')).toHaveLength(3);
      expect(await fails('get pods --field-selector bogus=1')).toMatch(/field label not supported: bogus$/);
      expect(await says(`annotate ${pod} note=one`)).toBe(`${pod} annotated\n`);
      expect(await fails(`annotate ${pod} note=two`)).toContain("'note' already has a value (one)");
      expect(await says(`annotate ${pod} note=two --overwrite`)).toBe(`${pod} annotated\n`);
      expect(await says('label pods -l tier=back tier-')).toBe(`${pod} unlabeled\n`);
      const marks = "-o jsonpath='{.metadata.annotations.note} {.metadata.labels.tier}'";
      expect(await says(`get ${pod} ${marks}`)).toBe('two ');
      expect(await says('get deploy web -o custom-columns=N:.metadata.name,R:.spec.replicas')).toBe(
        'N     R\nweb   3\n',
      );
      expect(await says('get deploy web --subresource=scale')).toMatch(
        /^NAME\s+DESIRED\s+AVAILABLE\s+AGE\nweb\s+3\s+3\s/,
      );
    }),
    240_000,
  );

  it(
    'does dry runs, diffs, applies lists, applies with --server-side, and reports unknown kinds',
    inNamespace('applying', async ({ says, fails, rows }) => {
      expect(await says('apply -f - --dry-run=server', { input: WEB })).toBe(
        'deployment.apps/web created (server dry run)\n',
      );
      expect(await rows('get deployments')).toEqual([]);
      await says('apply -f -', { input: WEB });
      await says('rollout status deployment/web --timeout=90s');
      expect(await says('diff -f -', { input: WEB })).toBe('');
      expect(await fails('create -f -', WEB)).toContain('deployments.apps "web" already exists');
      expect(await says('create -f -', { input: LIST })).toBe('configmap/one created\nconfigmap/two created\n');
      expect(await says('get configmaps one two -o name')).toBe('configmap/one\nconfigmap/two\n');
      const everything = await says('get deployment,configmap -o yaml');
      expect(await says('apply -f -', { input: everything })).toContain('deployment.apps/web configured\n');
      expect(await fails('create -f -', UNICORN)).toContain(
        'no matches for kind "Unicorn" in version "example.com/v1"\nensure CRDs are installed first',
      );
      const applied = await says('apply --server-side -f -', { input: WEB });
      expect(applied).toBe('deployment.apps/web serverside-applied\n');
      const appliers = `-o jsonpath='{.metadata.managedFields[?(@.operation=="Apply")].manager}' --show-managed-fields`;
      expect((await says(`get deployment web ${appliers}`)).split(' ')).toContain('kubectl');
      const version = () => says("get deploy web -o jsonpath='{.metadata.uid} {.metadata.generation}'");
      const before = await version();
      expect(await says('delete deployment web --dry-run=server')).toContain('deleted (server dry run)');
      expect(await says('scale deployment web --replicas=7 --dry-run=server')).toContain('scaled');
      expect(await version()).toBe(before);
      expect(await says('delete -f -', { input: WEB })).toBe('deployment.apps "web" deleted\n');
      expect(await fails('delete -f -', WEB)).toContain('deployments.apps "web" not found');
      expect(await says('delete --ignore-not-found -f -', { input: WEB })).toBe('');
    }),
    240_000,
  );

  it(
    'scales, orphans and describes a ReplicationController',
    inNamespace('old', async ({ says, rows }) => {
      expect(await says('apply -f -', { input: OLD })).toBe('replicationcontroller/old created\n');
      expect(await says('scale rc old --replicas=3')).toBe('replicationcontroller/old scaled\n');
      await says(`wait --for=jsonpath='{.status.availableReplicas}'=3 rc/old --timeout=90s`);
      expect(await rows('get rc -o wide')).toEqual([
        expect.stringMatching(/^old\s+3\s+3\s+3\s+\S+\s+web\s+nginx:1\s+app=old$/),
      ]);
      const described = await says('describe rc old');
      expect(described).toMatch(/Replicas:\s+3 current \/ 3 desired\nPods Status:\s+3 Running \/ 0 Waiting/);
      expect(described).toMatch(/Normal\s+SuccessfulCreate\s+\S+\s+replication-controller\s+Created pod: old-/);
      await says('delete rc old --cascade=orphan');
      expect(await rows('get pods')).toHaveLength(3);
      await says('apply -f -', { input: OLD });
      await says(`wait --for=jsonpath='{.status.replicas}'=2 rc/old --timeout=90s`);
      expect(await rows('get pods')).toHaveLength(2);
    }),
    240_000,
  );

  it(
    'prints events in their order, and watches new ones',
    inNamespace('telling', async ({ says }) => {
      const watching = start(['-n', 'telling', 'get', 'events', '--watch']);
      await says('run single --image=nginx');
      const reasons = ['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started'];
      const watched = await watching.until(new RegExp(reasons.map((reason) => `(?=[^]*Normal +${reason})`).join('')));
      watching.end();
      const told = watched.match(/(?<=Normal +)\w+/g) ?? [];
      // In the cloud, events of one moment lie in several partitions, and a watch may bring them in another order.
      expect(isCloud ? told.toSorted() : told).toEqual(isCloud ? reasons.toSorted() : reasons);
      expect((await says('events')).match(/(?<=Normal +)\w+/g)).toEqual(reasons);
      expect((await says('describe pod single')).match(/(?<=Normal +)\w+/g)).toEqual(reasons);
    }),
    240_000,
  );

  it(
    'undoes rollouts to revisions, and refuses unknown revisions and paused Deployments',
    inNamespace('history', async ({ says, fails }) => {
      await says('apply -f -', { input: WEB });
      await says('rollout status deployment/web --timeout=90s');
      await says(`annotate deployment web kubernetes.io/change-cause='the second'`);
      await says('set image deployment/web web=nginx:2');
      await says('rollout status deployment/web --timeout=90s');
      expect(await says('rollout history deployment/web')).toMatch(/1\s+the second\n2\s+the second\n/);
      expect(await says('rollout history deployment/web --revision=2')).toMatch(/Image:\s+nginx:2\n/);
      expect(await fails('rollout undo deployment/web --to-revision=7')).toBe(
        'error: unable to find specified revision 7 in history',
      );
      expect(await says('rollout undo deployment/web --to-revision=1')).toBe('deployment.apps/web rolled back\n');
      await says('rollout status deployment/web --timeout=90s');
      expect(await says('rollout undo deployment/web --to-revision=3')).toBe(
        'deployment.apps/web skipped rollback (current template already matches revision 3)\n',
      );
      await says('rollout pause deployment/web');
      expect(await fails('rollout pause deployment/web')).toBe('error: deployments.apps "web" is already paused');
      expect(await fails('rollout undo deployment/web')).toContain('cannot rollback a paused deployment');
      await says('rollout resume deployment/web');
      expect(await fails('scale deployment/web --replicas=3 --current-replicas=9')).toBe(
        'error: Expected replicas to be 9, was 2',
      );
    }),
    240_000,
  );

  it(
    'moves the pods of a drained node to other nodes',
    inNamespace('draining', async ({ says, rows }) => {
      await says('create deployment web --image=nginx --replicas=6');
      await says('rollout status deployment/web --timeout=90s');
      try {
        await kubectl('drain driftless-node-2 --force --ignore-daemonsets --timeout=90s');
        await says('rollout status deployment/web --timeout=90s');
        expect((await rows('get pods -o wide')).filter((row) => row.includes('driftless-node-2'))).toEqual([]);
        expect(await kubectl('get node driftless-node-2')).toMatch(/Ready,SchedulingDisabled/);
      } finally {
        await kubectl('uncordon driftless-node-2');
      }
    }),
    240_000,
  );

  it(
    'reports what simulated pods cannot do, and what the user may do',
    inNamespace('plainly', async ({ says, fails }) => {
      await says('run single --image=nginx');
      await says('wait --for=condition=Ready pod/single --timeout=90s');
      expect(await says('logs single')).toBe('single started with image docker.io/library/nginx:latest (simulated)\n');
      expect(await fails('exec single -- ls')).toContain('simulated pods run no processes');
      expect(await fails('port-forward single 8080:80')).toContain('simulated pods open no ports');
      expect(await says('top pods')).toMatch(/^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nsingle +\d+m +\d+Mi *\n$/);
      expect(await says('auth can-i create deployments')).toBe('yes\n');
      expect(await fails('get pods nosuch')).toBe('Error from server (NotFound): pods "nosuch" not found');
      expect(await fails('create deployment web --image=nginx --replicas=-1')).toMatch(
        /spec.replicas: Invalid value: -1|replicas/,
      );
      expect(await fails('delete namespace default')).toContain('this namespace may not be deleted');
    }),
    240_000,
  );
});

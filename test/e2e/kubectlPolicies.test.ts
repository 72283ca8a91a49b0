import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';
import { outdatedReadsForgotten } from './serverArguments.ts';

const POLICY = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replica-limit}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments, deployments/scale]}
  matchConditions:
  - {name: not-the-controllers, expression: '!request.userInfo.username.startsWith("system:kube-controller")'}
  variables:
  - {name: most, expression: int(params.data.maxReplicas)}
  validations:
  - expression: object.spec.replicas <= variables.most
    messageExpression: '"at most " + string(variables.most) + " replicas in " + namespaceObject.metadata.name'
    reason: Invalid
`;

const binding = (name: string, namespace: string, action: string) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec:
  policyName: replica-limit
  validationActions: [${action}]
  paramRef: {name: limits, parameterNotFoundAction: Deny}
  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}}
`;

describe.skipIf(!hasKubectl)('kubectl with a ValidatingAdmissionPolicy', () => {
  const { kubectl, run, inNamespace } = kubectlServer({
    prepare: (says) => says('apply -f -', { input: POLICY }),
  });

  it('prints it, and refuses one that does not compile', async () => {
    expect(await kubectl('get validatingadmissionpolicies')).toMatch(
      /^NAME +VALIDATIONS +PARAMKIND +AGE\nreplica-limit +1 +v1\/ConfigMap +\S+\n$/,
    );
    const input = POLICY.replace('object.spec.replicas <=', 'object.spec.replicas <');
    const { code, stderr } = await run(['apply', '-f', '-'], {
      input: input.replace('variables.most', 'variables.none'),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("undefined field 'none'")]);
  }, 240_000);

  it(
    'is refused what the policy denies where it is bound, until the binding goes',
    inNamespace('limited', async ({ says, fails }) => {
      await says('create configmap limits --from-literal=maxReplicas=3');
      await kubectl('apply -f -', { input: binding('limited', 'limited', 'Deny') });
      await outdatedReadsForgotten();
      const denied =
        "ValidatingAdmissionPolicy 'replica-limit' with binding 'limited' denied request: at most 3 replicas in limited";
      expect(await fails('create deployment web --image=nginx:1 --replicas=4')).toContain(denied);
      await says('create deployment web --image=nginx:1 --replicas=3');
      expect(await fails('scale deployment web --replicas=4')).toContain(denied);
      expect(await fails(`patch deployment web -p {"spec":{"replicas":5}}`)).toContain(denied);
      await says('rollout status deployment web --timeout=90s');
      await says('delete configmap limits');
      expect(await fails('scale deployment web --replicas=2')).toContain(
        'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
      );
      await kubectl('delete validatingadmissionpolicybinding limited');
      await outdatedReadsForgotten();
      await says('scale deployment web --replicas=4');
    }),
    240_000,
  );

  it(
    'is warned where the binding only warns',
    inNamespace('warned', async ({ says }) => {
      await says('create configmap limits --from-literal=maxReplicas=1');
      await kubectl('apply -f -', { input: binding('warned', 'warned', 'Warn') });
      await outdatedReadsForgotten();
      const { code, stderr } = await run('-n warned create deployment web --image=nginx:1 --replicas=2'.split(' '));
      expect([code, stderr]).toEqual([
        0,
        "Warning: Validation failed for ValidatingAdmissionPolicy 'replica-limit' with binding 'warned': at most 1 replicas in warned\n",
      ]);
    }),
    240_000,
  );
});

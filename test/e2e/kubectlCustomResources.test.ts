import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';
import { outdatedReadsForgotten } from './serverArguments.ts';
import { untilEstablished } from '../support/untilEstablished.ts';

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget, shortNames: [gd], categories: [toys]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: A thing to play with.
        properties:
          spec:
            type: object
            description: What is wanted.
            required: [color]
            properties:
              color: {type: string, description: The paint of the gadget.}
              replicas: {type: integer, default: 1, minimum: 0}
          status: {type: object, properties: {replicas: {type: integer}}}
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns:
    - {name: Color, type: string, jsonPath: .spec.color}
    - {name: Wanted, type: integer, jsonPath: .spec.replicas}
`;
const gadget = (spec: string) => `
apiVersion: example.com/v1
kind: Gadget
metadata: {name: top}
spec: ${spec}
`;

describe.skipIf(!hasKubectl)('kubectl with a custom resource', () => {
  const { kubectl, run } = kubectlServer({
    prepare: async (kubectl) => {
      await kubectl('apply -f -', { input: DEFINITION });
      await untilEstablished(kubectl, 'gadgets.example.com', 'Gadget');
    },
  });

  it('explains its fields', async () => {
    const spec = await kubectl('explain gadgets.spec');
    expect(spec).toContain('What is wanted.');
    expect(spec).toMatch(/color\s+<string> -required-\s+The paint of the gadget\./);
  }, 240_000);

  it('applies, prints columns, scales, patches, lists by category and short name, and deletes', async () => {
    expect(await kubectl('apply -f -', { input: gadget('{color: red}') })).toBe('gadget.example.com/top created\n');
    expect(await kubectl('get gadgets')).toMatch(/^NAME +COLOR +WANTED\ntop +red +1\n$/);
    await kubectl('scale gadget/top --replicas=3');
    expect(await kubectl('get gd top -o jsonpath={.spec.replicas}')).toBe('3');
    await kubectl(`patch gd top --type=merge -p '{"spec":{"color":"blue"}}'`);
    const color = () => kubectl('get gd top -o jsonpath={.spec.color}');
    expect(await color()).toBe('blue');
    expect(await kubectl('get toys -o name')).toBe('gadget.example.com/top\n');
    expect(await kubectl('apply -f -', { input: gadget('{color: green}') })).toBe(
      'gadget.example.com/top configured\n',
    );
    expect(await color()).toBe('green');
    expect(await kubectl('delete gadget top')).toBe('gadget.example.com "top" deleted\n');
    expect(await kubectl('get gadgets -o name')).toBe('');
  }, 240_000);

  it.each([
    ['a field that the schema does not know', '{color: red, size: 1}', 'unknown field "spec.size"'],
    ['a missing field', '{replicas: 1}', 'spec.color: Required value'],
    ['a value out of bounds', '{color: red, replicas: -1}', 'should be greater than or equal to 0'],
  ])(
    'is told of %s',
    async (_, spec, expected) => {
      const { code, stderr } = await run(['apply', '-f', '-'], { input: gadget(spec) });
      expect(code).toBe(1);
      expect(stderr).toContain(expected);
    },
    240_000,
  );

  it('deletes the definition with its objects', async () => {
    await kubectl('apply -f -', { input: gadget('{color: red}') });
    await kubectl('delete crd gadgets.example.com --timeout=120s');
    await outdatedReadsForgotten();
    expect((await run(['get', 'gadgets'])).code).toBe(1);
    expect(await kubectl('get crds -o name')).toBe('');
  }, 240_000);
});

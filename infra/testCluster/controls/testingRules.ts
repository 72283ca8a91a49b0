import type { FieldError } from '../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { CustomSchema } from '../../../lambdas/registry/apiextensions/CustomSchema.ts';
import type { CustomResourceDefinition } from '../../../lambdas/registry/customresources/CustomResourceDefinition.ts';
import { customResourceEntry } from '../../../lambdas/registry/customresources/customResourceEntry.ts';
import { compileSchema } from '../../../lambdas/registry/apiextensions/CustomSchema.ts';
import type { Strategy } from '../../../lambdas/registry/ResourceEntry.ts';

/** What a kind of the testing group needs before its objects can be read from requests and written. */
export interface TestingRules {
  readonly schema: CustomSchema;
  readonly strategy: Strategy;
}

/** Compiles the rules of a kind: those of a custom resource with this schema, and then `check`, which sees only objects that fit the schema. Pure. */
export function testingRules(json: object, check: (object: KubernetesObject) => FieldError[] = () => []): TestingRules {
  const schema = compileSchema(json);
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: json },
    subresources: { status: {} },
  };
  const names = { plural: '', kind: '' };
  const definition = { metadata: { name: '' }, spec: { group: '', scope: 'Cluster', names, versions: [version] } };
  const { strategy } = customResourceEntry(definition as unknown as CustomResourceDefinition, version, () => schema);
  return {
    schema,
    strategy: {
      ...strategy,
      validate: (object, budget) => checked(strategy.validate?.(object, budget) ?? [], object, check),
      validateUpdate: (object, old, budget, warn) =>
        checked(strategy.validateUpdate?.(object, old, budget, warn) ?? [], object, check),
    },
  };
}

function checked(errors: FieldError[], object: KubernetesObject, check: (object: KubernetesObject) => FieldError[]) {
  return errors.length > 0 ? errors : check(object);
}

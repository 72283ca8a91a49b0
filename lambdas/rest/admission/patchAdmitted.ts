import { ApiError } from '../../objects/ApiError.ts';
import { cloneJson, isObject } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { BudgetExhaustedError } from '../../objects/RequestBudget.ts';
import type { AdmissionAttributes } from '../../registry/admission/dynamic/AdmissionAttributes.ts';
import type { GroupVersionKind } from '../../registry/admission/dynamic/RequestAttributes.ts';
import type { PatchOutcome } from '../../registry/admission/webhooks/mutateByWebhooks.ts';
import { groupVersionOf } from '../../registry/versions/convertVersion.ts';
import { DecodingBudget, limitsOf } from '../codec/DecodingBudget.ts';
import { applyOperations, JsonPatchError } from '../patch/applyJsonPatch.ts';
import { checkCustomFields } from '../schema/checkCustomFields.ts';
import { checkFields, type FieldCheck } from '../schema/checkFields.ts';
import { kindSchema } from '../schema/kindSchema.ts';

/**
 * Applies the JSON patch of a mutating webhook to a copy of an object of this kind, and decodes the result as a body of a request: what the kind does not know is dropped. Fails
 * with the words of Kubernetes' decoders. Throws BudgetExhaustedError.
 */
export function patchAdmitted(
  attributes: Pick<AdmissionAttributes, 'entry' | 'budget'>,
  kind: GroupVersionKind,
  object: KubernetesObject,
  operations: readonly unknown[],
): PatchOutcome {
  try {
    if (!operations.every(isObject)) return failed('json: cannot unmarshal into Go value of type jsonpatch.Operation');
    const patched = applyOperations(cloneJson(object), cloneJson(operations), attributes.budget);
    new DecodingBudget(limitsOf({ ...object, budget: attributes.budget })).keepObject(patched);
    if (!isObject(patched)) return failed("Object 'Kind' is missing in the patched object");
    const { refused } = checkKind(attributes, kind, patched);
    if (refused !== undefined) return failed(refused);
    patched['metadata'] ??= {};
    return { status: 'patched', object: patched as KubernetesObject };
  } catch (error) {
    if (error instanceof BudgetExhaustedError) throw error;
    if (error instanceof JsonPatchError || error instanceof ApiError) return failed(error.message);
    throw error;
  }
}

function failed(why: string): PatchOutcome {
  return { status: 'failed', why };
}

function checkKind(
  { entry, budget }: Pick<AdmissionAttributes, 'entry' | 'budget'>,
  { group, version, kind }: GroupVersionKind,
  object: Record<string, unknown>,
): Pick<FieldCheck, 'refused'> {
  const apiVersion = groupVersionOf(group, version);
  // The kind stays, whatever the patch says.
  Object.assign(object, { apiVersion, kind });
  const custom =
    entry.custom && kind === entry.kind && group === entry.group ? entry.custom.schemaOf(version) : undefined;
  if (custom)
    return checkCustomFields({ object, strictErrors: [], mode: 'Ignore', apiVersion, kind, schema: custom, budget });
  const schema = kindSchema(apiVersion, kind, entry.release);
  return schema ? checkFields({ object, schema, mode: 'Ignore', budget }) : { refused: undefined };
}

import type {
  ExpressionWarning,
  ValidatingAdmissionPolicySpec,
  Validation,
} from 'kubernetes-types/admissionregistration/v1.js';
import { schemaType } from '../../apiextensions/rules/SchemaType.ts';
import { parseSchema } from '../../apiextensions/schema/parseSchema.ts';
import type { CelType } from '../../cel/CelType.ts';
import { compileExpression } from '../../cel/compileExpression.ts';
import type { GroupVersionKind } from '../dynamic/RequestAttributes.ts';
import { admissionEnvironment, type EnvironmentOptions } from './AdmissionEnvironment.ts';
import { compileVariables } from './AdmissionInput.ts';
import { kindText } from './typesToCheck.ts';

/** A kind with the JSON of its OpenAPI schema, in which every reference is replaced by what it refers to. */
export interface KindToCheck extends GroupVersionKind {
  readonly schema: unknown;
}

/**
 * Checks the validations of a policy, and the expressions of their messages, against the types of the objects that they will see: `object` and `oldObject` have the type of each of `kinds` in turn, `params` that of the
 * parameters' kind. Without its schema (`undefined`), parameters may be anything. Follows upstream's `TypeChecker.Check`. Pure.
 */
export function checkPolicyTypes(
  { validations = [], variables = [], paramKind }: ValidatingAdmissionPolicySpec,
  kinds: readonly KindToCheck[],
  paramSchema: unknown,
): ExpressionWarning[] {
  const params = paramSchema === undefined ? undefined : typeOf(paramKind?.kind ?? '', paramSchema);
  const checks = kinds.map((kind) => {
    const options: EnvironmentOptions = {
      hasParams: paramKind !== undefined,
      // Upstream's type checker does not know it, although expressions may use it.
      hasRequestCheck: false,
      object: typeOf(kind.kind, kind.schema),
      params,
    };
    const { types } = compileVariables(variables, options);
    return { name: kindText(kind), environment: admissionEnvironment({ ...options, variables: types }) };
  });
  const warningOf = (expression: string) =>
    checks
      .map(({ name, environment }) => ({ name, compiled: compileExpression(expression, environment) }))
      .flatMap(({ name, compiled }) => ('issues' in compiled ? [`${name}: ${compiled.issues}\n`] : []))
      .join('\n');
  return validations.flatMap((validation, index) =>
    EXPRESSIONS.flatMap((field) => {
      const warning = validation[field] ? warningOf(validation[field]) : '';
      return warning === '' ? [] : [{ fieldRef: `spec.validations[${index}].${field}`, warning }];
    }),
  );
}

const EXPRESSIONS = ['expression', 'messageExpression'] as const satisfies readonly (keyof Validation)[];

/** The type of a kind's objects; anything, if the schema says nothing. */
function typeOf(kind: string, schema: unknown): CelType {
  return schemaType(parseSchema(schema), true, kind)?.type ?? { kind: 'dyn' };
}

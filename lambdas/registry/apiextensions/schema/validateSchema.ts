import { STEPS_PER_EXPRESSION_CHARACTER } from '../../cel/compileExpression.ts';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { forbidden, invalid } from '../../validation/fieldErrors.ts';
import { isCompiled, patternWork } from '../values/patterns.ts';
import { checkRules } from '../rules/checkRules.ts';
import { evaluateRules, type RuleSubject } from '../rules/evaluateRules.ts';
import { childPath } from './fieldPath.ts';
import type { JsonSchemaProps } from './JsonSchemaProps.ts';
import { parseSchema } from './parseSchema.ts';
import { validateDefaults } from './validateDefaults.ts';
import { validateKeywords } from './validateKeywords.ts';
import { validateStructural } from './validateStructural.ts';

export interface SchemaPlace {
  /** True if the version serves `/status`: then the root may hold only what survives taking out `properties.status`. */
  readonly statusSubresource: boolean;
  /** What the request that writes the definition may take. */
  readonly budget: RequestBudget;
}

/**
 * Returns the errors of the JSON of a version's `openAPIV3Schema`, in upstream's order and words: whether it is structural, then its defaults, its keywords, and its rules.
 * `path` is where it stands, for instance `spec.versions[0].schema.openAPIV3Schema`. Follows apiextensions-apiserver's
 * `validateCustomResourceDefinitionValidation`. Throws BudgetExhaustedError for a schema that takes too long
 * to judge, and nothing else. Pure but for the budget.
 */
export function validateSchema(json: unknown, path: string, { statusSubresource, budget }: SchemaPlace): FieldError[] {
  const schema = parseSchema(json);
  // Patterns are compiled to be judged. Together they may not take longer than a request may.
  const patterns = [...schemasIn(schema)].flatMap(({ pattern }) => pattern ?? []);
  if (workOf(patterns) > MAX_PATTERN_WORK)
    return [invalid(path, '', 'the patterns of the schema are too large to be compiled')];
  // What was compiled before, for another version or another request, takes nothing more.
  const compiled = new Set(patterns.filter((pattern) => !isCompiled(pattern)));
  budget.spend(workOf([...compiled]) / PATTERN_WORK_PER_STEP);
  budget.spendOnEach(json, STEPS_PER_VALUE);
  const obstacle = findObstacle(schema);
  const structuralErrors = obstacle === undefined ? checkStructure(schema, path, budget) : [];
  const keywordErrors = validateKeywords(schema, path);
  // Rules are compiled only for schemas that can be read as types.
  const isReadable = obstacle === undefined && structuralErrors.length === 0;
  if (isReadable) budget.spend(charactersOfRules(schema) * STEPS_PER_EXPRESSION_CHARACTER);
  const errors = [
    ...(statusSubresource ? checkRoot(schema, json, path) : []),
    ...(schema.nullable ? [forbidden(childPath(path, 'nullable'), 'nullable cannot be true at the root')] : []),
    ...structuralErrors,
    ...keywordErrors,
    ...(isReadable ? checkRules(schema, path, (node) => keywordErrors.some(({ field }) => isWithin(field, node))) : []),
  ];
  return errors.length === 0 && obstacle !== undefined ? [invalid(path, '', obstacle)] : errors;
}

function isWithin(field: string, node: string): boolean {
  return field === node || field.startsWith(`${node}.`) || field.startsWith(`${node}[`);
}

function checkStructure(schema: JsonSchemaProps, path: string, budget: RequestBudget): FieldError[] {
  const errors = validateStructural(schema, path);
  return errors.length > 0 ? errors : validateDefaults(schema, path, { budget, validateRules: rulesErrors });
}

/** A default must keep the rules both as a new value and as one that stays. */
function rulesErrors(schema: JsonSchemaProps, subject: RuleSubject): FieldError[] {
  const { errors } = evaluateRules(schema, { ...subject, old: { value: subject.value } });
  return errors.length > 0 ? [...errors] : [...evaluateRules(schema, subject).errors];
}

/** What makes a schema unreadable as a structural one. Most of it is an error of a keyword, too, and is then not said twice. */
function findObstacle(schema: JsonSchemaProps): string | undefined {
  for (const [keyword, word] of UNREADABLE)
    if (schema.otherKeywords.has(keyword)) return `OpenAPIV3Schema '${word}' is not supported`;
  if (schema.definitions !== undefined) return "OpenAPIV3Schema 'definitions' is not supported";
  if (schema.preserveUnknownFields === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  if (schema.itemList !== undefined && schema.itemList.length > 0)
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  for (const child of childrenOf(schema)) {
    const obstacle = findObstacle(child);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

const UNREADABLE: readonly (readonly [keyword: string, word: string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
];

function childrenOf(schema: JsonSchemaProps): JsonSchemaProps[] {
  const { not, allOf = [], anyOf = [], oneOf = [], items, properties, additionalProperties } = schema;
  return [
    ...(not === undefined ? [] : [not]),
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...(items === undefined ? [] : [items]),
    ...(properties?.values() ?? []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
}

/** All that a schema may have must be less than a request may take. */
const PATTERN_WORK_PER_STEP = 8;
const MAX_PATTERN_WORK = 20_000_000;

function workOf(patterns: readonly string[]): number {
  return patterns.reduce((sum, pattern) => sum + patternWork(pattern), 0);
}

/** The steps of judging one value of a schema. */
const STEPS_PER_VALUE = 5;

function charactersOfRules(schema: JsonSchemaProps): number {
  const rules = [...schemasIn(schema)].flatMap(({ validations = [] }) => validations);
  return rules.reduce((sum, { rule, messageExpression }) => sum + rule.length + messageExpression.length, 0);
}

/** A schema, and all that it consists of. */
function* schemasIn(schema: JsonSchemaProps): Generator<JsonSchemaProps> {
  yield schema;
  for (const child of childrenOf(schema)) yield* schemasIn(child);
}

/** The keywords that the root may have beside `/status`, as Go names their fields. */
const ROOT_FIELDS =
  `Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems
  MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations`.split(/\s+/);

const GO_NAMES: Readonly<Record<string, string>> = {
  preserveUnknownFields: 'XPreserveUnknownFields',
  validations: 'XValidations',
  externalDocs: 'ExternalDocs',
  example: 'Example',
  itemList: 'Items',
};

function checkRoot(schema: JsonSchemaProps, json: unknown, path: string): FieldError[] {
  if (schema.type !== undefined && schema.type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(childPath(path, 'type'), schema.type, detail)];
  }
  const { otherKeywords, ...keywords } = schema;
  const names = [...Object.keys(keywords), ...otherKeywords];
  const goName = (name: string) => GO_NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
  if (names.every((name) => ROOT_FIELDS.includes(goName(name)))) return [];
  const detail = `only [${ROOT_FIELDS.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, json, detail)];
}

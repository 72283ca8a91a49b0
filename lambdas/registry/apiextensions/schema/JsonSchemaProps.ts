/**
 * A node of a CustomResourceDefinition's `openAPIV3Schema`: apiextensions.k8s.io/v1 JSONSchemaProps, with what is empty left out.
 * Members that hold schemas are maps sorted by name, so that whatever walks a schema finds the same errors in the same order.
 */
export interface JsonSchemaProps {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  /** Never `null`: Kubernetes reads `default: null` as no default. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: JsonSchemaProps;
  /** The members of `items` if it was written as a list, which a structural schema may not have. */
  readonly itemList?: readonly JsonSchemaProps[];
  readonly properties?: ReadonlyMap<string, JsonSchemaProps>;
  readonly additionalProperties?: JsonSchemaProps | boolean;
  readonly allOf?: readonly JsonSchemaProps[];
  readonly anyOf?: readonly JsonSchemaProps[];
  readonly oneOf?: readonly JsonSchemaProps[];
  readonly not?: JsonSchemaProps;
  readonly definitions?: ReadonlyMap<string, JsonSchemaProps>;
  /** Names of other keywords of JSONSchemaProps that are set: `$ref`, `id`, `patternProperties`, `example`, … */
  readonly otherKeywords: ReadonlySet<string>;
  readonly preserveUnknownFields?: boolean;
  readonly embeddedResource?: boolean;
  readonly intOrString?: boolean;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: string;
  readonly validations?: readonly ValidationRule[];
}

/** One rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason?: string;
  readonly fieldPath: string;
  readonly optionalOldSelf?: boolean;
}

/** Returns the schema of the values of a map, unless `additionalProperties` is absent or a boolean. */
export function valuesSchema({ additionalProperties }: JsonSchemaProps): JsonSchemaProps | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Returns the schema of one member of an object: its own, or the schema of all values. */
export function memberSchema(schema: JsonSchemaProps, name: string): JsonSchemaProps | undefined {
  return schema.properties?.get(name) ?? valuesSchema(schema);
}

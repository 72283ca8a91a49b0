/** What a schema's generated documentation holds. */
export interface TypeDocs {
  readonly description?: string;
  /** By the names that fields have in JSON. */
  readonly fields: Readonly<Record<string, string>>;
  readonly required: readonly string[];
}

/** The generated documentation of a type. */
export interface TypeDocs {
  readonly description?: string;
  /** Descriptions by the fields' JSON names. */
  readonly fields: Readonly<Record<string, string>>;
  readonly required: readonly string[];
}

/** Says why fields cannot be managed: a value that does not fit its schema, or managedFields that cannot be read. In Kubernetes' words. */
export class FieldManagerError extends Error {}

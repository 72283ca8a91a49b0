/** meta/v1: the types that all kinds share, in the notation of parseField.ts. */
export const metaTypes = {
  Condition: `
    type:1:string status:2:string(ConditionStatus) observedGeneration:3:int64 lastTransitionTime:4:Time reason:5:string
    message:6:string
  `,
  DeleteOptions: `
    gracePeriodSeconds:1:*int64 preconditions:2:Preconditions orphanDependents:3:*bool
    propagationPolicy:4:*string(DeletionPropagation) dryRun:5:[]string
    ignoreStoreReadErrorWithClusterBreakingPotential:6:*bool/since(1.32)
  `,
  FieldSelectorRequirement: 'key:1:string operator:2:string(FieldSelectorOperator) values:3:[]string',
  LabelSelector: '/atomic matchLabels:1:{}string matchExpressions:2:[]LabelSelectorRequirement',
  LabelSelectorRequirement: 'key:1:string operator:2:string(LabelSelectorOperator) values:3:[]string',
  ListMeta: 'selfLink:1:string resourceVersion:2:string continue:3:string remainingItemCount:4:*int64',
  ManagedFieldsEntry: `
    manager:1:string operation:2:string(ManagedFieldsOperationType) apiVersion:3:string time:4:Time fieldsType:6:string
    fieldsV1:7:FieldsV1 subresource:8:string
  `,
  ObjectMeta: `
    name:1:string generateName:2:string namespace:3:string selfLink:4:string uid:5:string(types.UID)
    resourceVersion:6:string generation:7:int64 creationTimestamp:8:Time deletionTimestamp:9:Time
    deletionGracePeriodSeconds:10:*int64 labels:11:{}string annotations:12:{}string
    ownerReferences:13:[]OwnerReference/merge(uid) finalizers:14:[]string/merge/set
    managedFields:17:![]ManagedFieldsEntry
  `,
  OwnerReference: `
    /atomic apiVersion:5:string kind:1:string name:3:string uid:4:string(types.UID) controller:6:*bool
    blockOwnerDeletion:7:*bool
  `,
  Preconditions: 'uid:1:*string(types.UID) resourceVersion:2:*string',
  Status: `
    metadata:1:ListMeta status:2:string message:3:string reason:4:string(StatusReason) details:5:StatusDetails
    code:6:int32
  `,
  StatusCause: 'reason:1:string(CauseType) message:2:string field:3:string',
  StatusDetails: `
    name:1:string group:2:string kind:3:string uid:6:string(types.UID) causes:4:[]StatusCause retryAfterSeconds:5:int32
  `,
} as const;

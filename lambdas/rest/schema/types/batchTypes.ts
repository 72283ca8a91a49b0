/** Jobs, cron jobs, and what evictions respect, in the notation of parseField.ts. */
export const batchTypes = {
  'batch.v1': {
    CronJob: 'metadata:1:meta.v1.ObjectMeta spec:2:CronJobSpec status:3:CronJobStatus',
    CronJobSpec: `
      schedule:1:string timeZone:8:*string startingDeadlineSeconds:2:*int64
      concurrencyPolicy:3:string(ConcurrencyPolicy) suspend:4:*bool jobTemplate:5:!JobTemplateSpec/required
      successfulJobsHistoryLimit:6:*int32 failedJobsHistoryLimit:7:*int32
    `,
    CronJobStatus: 'active:1:[]core.v1.ObjectReference lastScheduleTime:4:Time lastSuccessfulTime:5:Time',
    Job: 'metadata:1:meta.v1.ObjectMeta spec:2:JobSpec status:3:JobStatus',
    JobCondition: `
      type:1:string(JobConditionType) status:2:string(ConditionStatus) lastProbeTime:3:Time lastTransitionTime:4:Time
      reason:5:string message:6:string
    `,
    JobSpec: `
      parallelism:1:*int32 completions:2:*int32 activeDeadlineSeconds:3:*int64 podFailurePolicy:11:PodFailurePolicy
      successPolicy:16:SuccessPolicy/since(1.31) backoffLimit:7:*int32 backoffLimitPerIndex:12:*int32
      maxFailedIndexes:13:*int32 selector:4:meta.v1.LabelSelector manualSelector:5:*bool
      template:6:!core.v1.PodTemplateSpec/required ttlSecondsAfterFinished:8:*int32
      completionMode:9:*string(CompletionMode) suspend:10:*bool podReplacementPolicy:14:*string(PodReplacementPolicy)
      managedBy:15:*string/since(1.32)
    `,
    JobStatus: `
      conditions:1:[]JobCondition/merge(type)/atomic startTime:2:Time completionTime:3:Time active:4:int32
      succeeded:5:int32 failed:6:int32 terminating:11:*int32 completedIndexes:7:string failedIndexes:10:*string
      uncountedTerminatedPods:8:UncountedTerminatedPods ready:9:*int32
    `,
    JobTemplateSpec: 'metadata:1:!meta.v1.ObjectMeta spec:2:!JobSpec/required',
    PodFailurePolicy: 'rules:1:![]PodFailurePolicyRule',
    PodFailurePolicyOnExitCodesRequirement: `
      containerName:1:*string operator:2:string(PodFailurePolicyOnExitCodesOperator) values:3:![]int32/set
    `,
    PodFailurePolicyOnPodConditionsPattern: 'type:1:string(PodConditionType) status:2:string(ConditionStatus)',
    PodFailurePolicyRule: `
      action:1:string(PodFailurePolicyAction) onExitCodes:2:PodFailurePolicyOnExitCodesRequirement
      onPodConditions:3:[]PodFailurePolicyOnPodConditionsPattern
    `,
    SuccessPolicy: 'rules:1:![]SuccessPolicyRule',
    SuccessPolicyRule: 'succeededIndexes:1:*string succeededCount:2:*int32',
    UncountedTerminatedPods: 'succeeded:1:[]string/set failed:2:[]string/set',
  },
  'policy.v1': {
    PodDisruptionBudget: `
      metadata:1:meta.v1.ObjectMeta spec:2:PodDisruptionBudgetSpec status:3:PodDisruptionBudgetStatus
    `,
    PodDisruptionBudgetSpec: `
      minAvailable:1:*IntOrString selector:2:meta.v1.LabelSelector/replace maxUnavailable:3:*IntOrString
      unhealthyPodEvictionPolicy:4:*string(UnhealthyPodEvictionPolicyType)
    `,
    PodDisruptionBudgetStatus: `
      observedGeneration:1:int64 disruptedPods:2:{}Time disruptionsAllowed:3:!int32 currentHealthy:4:!int32
      desiredHealthy:5:!int32 expectedPods:6:!int32 conditions:7:[]meta.v1.Condition/merge(type)
    `,
    Eviction: 'metadata:1:meta.v1.ObjectMeta deleteOptions:2:meta.v1.DeleteOptions',
  },
  // Its resources are not served any more, but an eviction may still come in it.
  'policy.v1beta1': {
    Eviction: 'metadata:1:meta.v1.ObjectMeta deleteOptions:2:meta.v1.DeleteOptions',
  },
} as const;

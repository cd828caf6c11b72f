/** Forms of the mapping language that products are generated with; a form that `src` does not have is left out here. */
export type Form = 'zone by name' | 'id that is not unique'

const allForms: readonly Form[] = ['zone by name', 'id that is not unique']

/** The forms that `src` has. */
const served: readonly Form[] = []

/** Whether products are generated with a form; MODEL_FORMS names others, separated by commas, or `all`. */
export function hasForm(form: Form): boolean {
  const given = process.env['MODEL_FORMS']
  if (given === undefined) return served.includes(form)
  return given === 'all' ? allForms.includes(form) : given.split(',').includes(form)
}

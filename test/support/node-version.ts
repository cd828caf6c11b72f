/** The major version of the Node that runs this: what it takes of memory differs by that. */
export const nodeMajor = Number(process.versions.node.split('.')[0])

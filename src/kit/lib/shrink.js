export async function shrink() {}

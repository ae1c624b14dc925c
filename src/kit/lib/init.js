export async function init() {
  return 2
}

export default function () {
  const = 1;
}

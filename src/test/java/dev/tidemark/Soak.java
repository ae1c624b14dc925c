package dev.tidemark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** How much of a long test runs. Profile {@code soak} runs all of it, and random tests {@value #FACTOR} times as often. */
public final class Soak {

    private static final String FACTOR = "soak.factor";
    private static final int[] SMALL_PAGES = {1, 2, 3};
    private static final int[] LARGE_PAGES = {5, 7, 100};
    private static final int[] ALL_PAGES = {1, 2, 3, 5, 7, 100};

    private Soak() {}

    /** @param usually how often a random test runs in every build */
    public static int times(int usually) {
        return usually * Integer.getInteger(FACTOR, 1);
    }

    public static boolean isOn() {
        return times(1) > 1;
    }

    /** A random half of these, in this order; all of them in profile {@code soak}. */
    public static <T> Stream<T> half(Stream<T> all) {
        List<T> list = all.toList();
        if (isOn()) {
            return list.stream();
        }
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            places.add(i);
        }
        Collections.shuffle(places);
        return places.stream().limit((list.size() + 1) / 2).sorted().map(list::get);
    }

    /**
     * The page sizes with which a list is walked: a small one and a large one, so that all occur among the lists; in profile
     * {@code soak}, all sizes for each list.
     */
    public static int[] pageSizes(Object list) {
        if (isOn()) {
            return ALL_PAGES;
        }
        int hash = Math.abs(list.hashCode() % 9);
        return new int[] {SMALL_PAGES[hash % 3], LARGE_PAGES[hash / 3]};
    }

    /** The same for tests of dozens of lists: a random one for each list, so that all occur among the lists. */
    public static int[] onePageSize() {
        return isOn()
                ? ALL_PAGES
                : new int[] {ALL_PAGES[ThreadLocalRandom.current().nextInt(ALL_PAGES.length)]};
    }
}
